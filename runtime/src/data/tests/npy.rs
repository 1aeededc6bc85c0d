//! Arrays of NumPy.

use super::*;

/// An array as NumPy writes it.
pub(super) fn npy(descr: &str, order: &str, shape: &str, cells: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), cells].concat()
}

fn floats(rows: &[f64]) -> Vec<u8> {
    rows.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn mixed() -> CircuitGraph {
    circuit(
        "@missing(\"-99\") var t : real; var rain : bool; var oktas : 1..9; \
         root t ~ normal(0, 1) * rain * oktas ~ uniform();",
    )
}

#[test]
fn arrays_are_read_in_both_orders_from_files_and_streams() {
    let by_rows = npy(
        "'<f8'",
        "False",
        "(2, 3)",
        &floats(&[1.5, 0.0, 8.0, f64::NAN, 1.0, f64::NAN]),
    );
    let by_columns = npy(
        "'<f8'",
        "True",
        "(2, 3)",
        &floats(&[1.5, -99.0, 0.0, 1.0, 8.0, f64::NAN]),
    );
    let folder = std::env::temp_dir().join(format!("pelton-npy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in [("rows.npy", by_rows), ("columns.npy", by_columns)] {
        let path = folder.join(name);
        std::fs::write(&path, &bytes).unwrap();
        let sources = [
            DataSource::open(&path).unwrap(),
            DataSource::new("pipe", std::io::Cursor::new(bytes.clone())),
            DataSource::new("pipe", std::io::Cursor::new(gzipped(&bytes))),
            DataSource::new("pipe", Trickle(std::io::Cursor::new(bytes.clone()))),
        ];
        for source in sources {
            let table = read(source, &mixed(), &ReadOptions::default())
                .unwrap()
                .table;
            let Column::Reals(t) = &table.columns()[0] else {
                panic!("{table:?}");
            };
            assert!(t[0] == 1.5 && t[1].is_nan(), "{t:?}");
            assert_eq!(table.columns()[1], Column::Small(vec![0, 1]));
            assert_eq!(table.columns()[2], Column::Small(vec![7, MISSING_SMALL]));
        }
        chunks::hold(&mixed(), &bytes, &ReadOptions::default());
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn arrays_of_every_type_are_read() {
    for (descr, cells) in [
        ("'|b1'", &[0, 1, 1, 0][..]),
        ("'|u1'", &[0, 1, 1, 0]),
        ("'>i2'", &[0, 0, 0, 1, 0, 1, 0, 0]),
        ("'<u4'", &[0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
    ] {
        let table = read_bytes(&bits(2), npy(descr, "False", "(2, 2)", cells))
            .unwrap()
            .table;
        assert_eq!(table.columns()[0], Column::Small(vec![0, 1]), "{descr}");
        assert_eq!(table.columns()[1], Column::Small(vec![1, 0]), "{descr}");
    }
    let column = npy("'|i1'", "False", "(3,)", &[0, 1, 1]);
    assert_eq!(read_bytes(&bits(1), column).unwrap().table.n_rows(), 3);
}

/// Written by NumPy 2.4.
#[test]
fn a_file_of_numpy_is_read() {
    let bytes = include_bytes!("../../../../tests/data/numpy.npy");
    let table = read_bytes(&bits(3), *bytes).unwrap().table;
    assert_eq!(table.columns()[0], Column::Small(vec![0, 1]));
    assert_eq!(table.columns()[2], Column::Small(vec![1, MISSING_SMALL]));
}

#[test]
fn many_rows_are_the_same_in_chunks_of_any_size() {
    let cells: Vec<u8> = (0..3 * 7001u32).map(|at| (at % 7 % 2) as u8).collect();
    for order in ["False", "True"] {
        let bytes = npy("'|u1'", order, "(7001, 3)", &cells);
        chunks::hold(&bits(3), &bytes, &ReadOptions::default());
        // Two cells are at fault; the one of the earlier row is told.
        let mut wrong = bytes.clone();
        let start = bytes.len() - cells.len();
        wrong[start + 3 * 5000] = 2;
        wrong[start + 3 * 6000 + 2] = 2;
        chunks::hold(&bits(3), &wrong, &ReadOptions::default());
        chunks::hold(&bits(3), &wrong[..wrong.len() - 1], &ReadOptions::default());
    }
}

#[test]
fn weights_have_a_column_of_an_array() {
    let bytes = npy("'<f8'", "False", "(2, 2)", &floats(&[0.0, 2.5, 1.0, 1.0]));
    let options = ReadOptions {
        weight_column: Some("2".to_string()),
        ..ReadOptions::default()
    };
    let source = DataSource::new("d.npy", std::io::Cursor::new(bytes));
    let data = read(source, &bits(1), &options).unwrap();
    assert_eq!(data.weights, Some(vec![2.5, 1.0]));
    let bytes = npy("'<f8'", "False", "(1, 2)", &floats(&[0.0, -1.0]));
    let error = read_chunks(&bits(1), &bytes, &options, 1).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("d.csv: row 1: column 2: the weight `-1` is negative")
    );
}

#[test]
fn cells_that_do_not_fit_are_told_with_their_row() {
    let told = |row: [f64; 3]| {
        let rows = [[1.0, 1.0, 1.0], row].concat();
        let text = message(&mixed(), npy("'<f8'", "False", "(2, 3)", &floats(&rows)));
        let text = text.split("\n").next().unwrap().to_string();
        text.strip_prefix("d.csv: row 2: ").unwrap().to_string()
    };
    assert_eq!(
        told([f64::INFINITY, 1.0, 1.0]),
        "column 1: `inf` is not a number"
    );
    assert_eq!(
        told([0.0, 2.0, 1.0]),
        "column 2: `2` is neither true nor false"
    );
    assert_eq!(
        told([0.0, 0.0, 9.0]),
        "column 3: `9` is not in the range 1..9"
    );
    assert_eq!(told([0.0, 0.0, 1.5]), "column 3: `1.5` is not an integer");
    let counts = circuit("var n : nat; root n ~ poisson(1);");
    let large = npy("'<u8'", "False", "(1,)", &u64::MAX.to_le_bytes());
    assert!(
        message(&counts, large)
            .starts_with("d.csv: row 1: column 1: `18446744073709551615` is not a natural number")
    );
    let categories = circuit("var c : {a, \"3\"}; root c ~ uniform();");
    let named = npy("'<f8'", "False", "(1,)", &floats(&[3.0]));
    assert_eq!(
        read_bytes(&categories, named).unwrap().table.columns()[0],
        Column::Small(vec![1])
    );
    let unnamed = npy("'<f8'", "False", "(1,)", &floats(&[0.0]));
    assert!(message(&categories, unnamed).contains("`0` is not a category of `c`"));
}

#[test]
fn arrays_that_are_no_table_of_the_circuit_are_told() {
    let told = |bytes: Vec<u8>| message(&bits(3), bytes);
    assert_eq!(
        told(npy("'|u1'", "False", "(2, 2)", &[0; 4]))
            .split('\n')
            .next(),
        Some("d.csv: the array has 2 columns, but the circuit has 3 variables")
    );
    assert!(
        told(npy("'|u1'", "False", "(2,)", &[0; 2])).starts_with("d.csv: the array has 1 column,")
    );
    assert!(
        told(npy("'|u1'", "False", "(1, 3, 1)", &[0; 3]))
            .starts_with("d.csv: the array has 3 axes")
    );
    assert!(told(npy("'|u1'", "False", "()", &[0])).starts_with("d.csv: the array has 0 axes"));
    assert_eq!(
        told(npy("'|u1'", "False", "(0, 3)", &[])),
        "d.csv: there is no row in it"
    );
    assert!(
        told(npy("'<U4'", "False", "(1, 3)", &[0; 48])).starts_with(
            "d.csv: the array holds text (NumPy's type `<U4`)\n  help: save an array of"
        )
    );
    assert!(
        told(npy("[('a', '<f8')]", "False", "(1,)", &[0; 8]))
            .starts_with("d.csv: a row of the array is a record of named fields")
    );
    assert!(read_with_header_yes().starts_with("d.csv: there is no header: an array has no names"));
}

fn read_with_header_yes() -> String {
    let options = ReadOptions {
        header: HeaderMode::Yes,
        ..ReadOptions::default()
    };
    let bytes = npy("'|u1'", "False", "(1, 3)", &[0; 3]);
    read_chunks(&bits(3), &bytes, &options, 1)
        .unwrap_err()
        .to_string()
}

#[test]
fn damaged_arrays_are_told() {
    let whole = npy("'<f8'", "False", "(2, 3)", &floats(&[0.0; 6]));
    let early =
        "d.csv: the array ends too early: its header says 2 rows; was it copied completely?";
    assert_eq!(message(&bits(3), &whole[..whole.len() - 1]), early);
    assert_eq!(
        message(&bits(3), &whole[..40]),
        "d.csv: the header of the NumPy array is damaged"
    );
    let longer = [&whole[..], &[0]].concat();
    assert!(
        message(&bits(3), longer).starts_with("d.csv: it goes on behind the 2 rows of its array")
    );
    for order in ["True", "False"] {
        for shape in ["(1000000000000000000, 3)", "(18446744073709551615, 3)"] {
            let absurd = npy("'<f8'", order, shape, &floats(&[0.0; 6]));
            assert!(message(&bits(3), absurd).starts_with("d.csv: the array ends too early"));
        }
    }
    let mut endless = whole.clone();
    endless[6] = 2;
    endless[10..12].fill(0xff);
    assert_eq!(
        message(&bits(3), endless),
        "d.csv: the header of the NumPy array is damaged"
    );
}
