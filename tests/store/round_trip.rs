//! What is saved comes back, bit for bit.

use super::{Read, bits, drawn, examples, loaded, random_texts, read};
use pelton_compiler::circuit::{CircuitGraph, Property};
use pelton_runtime::store::{load, save, to_bytes};
use pelton_tests::dice::Dice;

fn assert_round_trip(given: &Read, dice: &mut Dice, what: &str) {
    let circuit = given.checked.circuit();
    let values = drawn(circuit, dice);
    let bytes =
        to_bytes(&given.document, circuit, &values).unwrap_or_else(|e| panic!("{what}: {e}"));
    let back = loaded(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(back.document, given.document, "{what}");
    assert_eq!(
        back.checked.circuit().fingerprint(),
        circuit.fingerprint(),
        "{what}"
    );
    let found = back.checked.circuit().start_values();
    assert_eq!(bits(&found), bits(&values), "{what}");
    // Saved again, it is the same file.
    let again = to_bytes(&back.document, back.checked.circuit(), &found).unwrap();
    assert!(again == bytes, "{what}");
}

#[test]
fn examples_come_back() {
    let mut dice = Dice::new(1);
    for (path, given) in examples() {
        assert_round_trip(&given, &mut dice, &path.display().to_string());
    }
}

#[test]
fn random_circuits_come_back() {
    let mut n_read = 0;
    for (seed, text) in random_texts(0..1_000) {
        let Some(given) = read(&text, None) else {
            continue;
        };
        let mut dice = Dice::new(seed);
        assert_round_trip(&given, &mut dice, &format!("seed {seed}"));
        n_read += 1;
        // The same with everything learned.
        let mut all = given;
        all.document.learn_all = true;
        all.checked = all.checked.learn_all();
        assert_round_trip(&all, &mut dice, &format!("seed {seed}, everything learned"));
    }
    assert!(n_read > 300, "{n_read}");
}

/// The files that a circuit uses are in the model file; the originals may be gone.
#[test]
fn used_files_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("lib")).unwrap();
    let shared = "param p : unit = ?0.25;\ndef coin(v) = v ~ bernoulli(p);\n";
    std::fs::write(at("shared.pcirc"), shared).unwrap();
    let module = "use \"../shared.pcirc\" as s;\ndef coin(v) = s.coin(v);\n";
    std::fs::write(at("lib/a.pcirc"), module).unwrap();
    // The same file under two spellings is one module.
    let text =
        "use \"lib/a.pcirc\" as a;\nuse \"lib/../shared.pcirc\" as b;\nuse \"./shared.pcirc\" as c;
var x, y, z : bool;\nroot a.coin(x) * b.coin(y) * c.coin(z);\n";
    std::fs::write(at("main.pcirc"), text).unwrap();
    let given = read(text, Some(at("main.pcirc"))).unwrap();
    let circuit = given.checked.circuit();
    let values = drawn(circuit, &mut Dice::new(2));
    let file = at("model.pelton");
    save(&file, &given.document, circuit, &values).unwrap();
    for name in ["shared.pcirc", "lib/a.pcirc", "main.pcirc"] {
        std::fs::remove_file(at(name)).unwrap();
    }
    let back = load(&file).unwrap();
    assert_eq!(bits(&back.checked.circuit().start_values()), bits(&values));
    let names: Vec<&str> = back.document.bundle.texts().map(|(name, _)| name).collect();
    assert_eq!(names, ["main.pcirc", "lib/a.pcirc", "shared.pcirc"]);
}

/// Learning everything keeps what was proven of supports.
#[test]
fn everything_learned_stays_deterministic() {
    use pelton_compiler::check::{CheckOptions, check};
    use pelton_grammar::diagnostic::SourceDiagnostics;
    let options = CheckOptions {
        decide: Property::ALL.to_vec(),
        ..CheckOptions::default()
    };
    let proven = |circuit: CircuitGraph| {
        let checked = check(circuit, &options, &mut SourceDiagnostics::new())?;
        Some(Property::ALL.map(|property| checked.facts().is_proven(property)))
    };
    for seed in 0..500 {
        let circuit = pelton_tests::random::sample(seed).circuit;
        if let Some(before) = proven(circuit.clone()) {
            assert_eq!(proven(circuit.learn_all()), Some(before), "seed {seed}");
        }
    }
}
