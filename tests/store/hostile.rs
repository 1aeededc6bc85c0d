//! Files that no one would write: every one is read or refused with a reason.

use super::{SMALL, loaded, read};
use pelton_runtime::store::{StoreError, to_bytes};
use pelton_tests::dice::Dice;

fn small() -> Vec<u8> {
    let given = read(SMALL, None).unwrap();
    let circuit = given.checked.circuit();
    to_bytes(&given.document, circuit, &circuit.start_values()).unwrap()
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    let bytes = small();
    assert!(loaded(&bytes).is_ok());
    for end in 0..bytes.len() {
        match loaded(&bytes[..end]) {
            Err(StoreError::CutShort(n)) if end < 8 => assert_eq!(n, 8 - end as u64),
            Err(StoreError::CutShort(n)) => assert!(n as usize <= bytes.len() - end),
            Err(other) => panic!("cut at {end}: {other}"),
            Ok(_) => panic!("cut at {end}, it was read"),
        }
    }
}

/// A flipped bit in a number may go unnoticed, one in the frame or in the text
/// must not end in a panic.
#[test]
fn flipped_bits_do_no_harm() {
    let bytes = small();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            if let Err(error) = loaded(&changed) {
                assert!(error.to_string().len() < 2_000, "{error}");
            }
        }
    }
}

#[test]
fn noise_is_refused() {
    let mut dice = Dice::new(3);
    for _ in 0..2_000 {
        let n = dice.below(200);
        let mut bytes: Vec<u8> = (0..n).map(|_| dice.below(256) as u8).collect();
        if n > 9 && dice.chance(50) {
            bytes[..8].copy_from_slice(&(n as u64 - 8).to_le_bytes());
            bytes[8] = b'{';
        }
        assert!(loaded(&bytes).is_err());
    }
}

/// A file with this header and these numbers behind it.
fn framed(header: &str, data: &[u8]) -> Vec<u8> {
    [
        &(header.len() as u64).to_le_bytes(),
        header.as_bytes(),
        data,
    ]
    .concat()
}

#[test]
fn headers_that_promise_too_much_are_refused() {
    let about = r#""__metadata__":{"format":"pelton","version":"1"}"#;
    let huge = |shape: &str, end: &str| {
        let tensor = format!(r#""w":{{"dtype":"F64","shape":{shape},"data_offsets":[0,{end}]}}"#);
        framed(&format!("{{{about},{tensor}}}"), &[])
    };
    for bytes in [
        u64::MAX.to_le_bytes().to_vec(),
        100_000_001u64.to_le_bytes().to_vec(),
        [&100_000_000u64.to_le_bytes()[..], b"{"].concat(),
        huge("[1000000000000]", "8000000000000"),
        huge("[4294967296,4294967296]", "8"),
        huge("[18446744073709551615]", "18446744073709551615"),
        huge("[2305843009213693951]", "18446744073709551608"),
        framed("{}", &[]),
        framed("[]", &[]),
        framed("{\"__metadata__\":7}", &[]),
        framed(&"[".repeat(100_000), &[]),
        framed(&format!("{{{about}}}"), &[]),
        framed(&format!("{{{about},\"a\":{{}}}}"), &[]),
    ] {
        assert!(loaded(&bytes).is_err());
    }
    // Offsets that add up to more than a number can hold.
    let size = (1u64 << 61) - 8;
    let tensors = (0..8u64).map(|n| {
        let (start, end) = (n * size, (n + 1) * size);
        let shape = size / 8;
        format!(r#""t{n}":{{"dtype":"F64","shape":[{shape}],"data_offsets":[{start},{end}]}}"#)
    });
    let tensors: Vec<String> = tensors.collect();
    let bytes = framed(&format!("{{{about},{}}}", tensors.join(",")), &[]);
    assert!(matches!(loaded(&bytes), Err(StoreError::CutShort(_))));
}

#[test]
fn names_that_occur_twice_are_refused_or_harmless() {
    let bytes = small();
    let n = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&bytes[8..8 + n]).unwrap().trim_end();
    let data = &bytes[8 + n..];
    let body = header.strip_suffix('}').unwrap();
    let twice = |more: &str| loaded(&framed(&format!("{body},{more}}}"), data));
    // A second `w` over other numbers leaves a gap.
    assert!(twice(r#""w":{"dtype":"F64","shape":[2],"data_offsets":[8,24]}"#).is_err());
    assert!(twice(r#""__metadata__":{"format":"pelton"}"#).is_err());
    assert!(twice(r#""extra":{"dtype":"F64","shape":[0],"data_offsets":[0,0]}"#).is_err());
}

/// The text in a file is bounded like any other.
#[test]
fn texts_in_files_keep_to_the_limits() {
    let given = read(SMALL, None).unwrap();
    let mut document = given.document.clone();
    let text = "var x : bool; root prod i in 0..1000000000000 { x };";
    document.bundle = pelton_runtime::store::SourceBundle::of_text("a.pcirc", text);
    let circuit = given.checked.circuit();
    let bytes = to_bytes(&document, circuit, &circuit.start_values()).unwrap();
    assert!(matches!(loaded(&bytes), Err(StoreError::Text(_))));
    // It cannot reach files outside.
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/library/channels.pcirc"
    );
    let text = format!("use {path:?} as c; var x : bool; root c.says_true(x, 0.5);");
    document.bundle = pelton_runtime::store::SourceBundle::of_text("a.pcirc", &text);
    let bytes = to_bytes(&document, circuit, &circuit.start_values()).unwrap();
    assert!(matches!(loaded(&bytes), Err(StoreError::Text(_))));
}
