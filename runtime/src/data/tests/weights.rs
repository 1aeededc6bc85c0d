//! Weights of rows.

use super::*;

fn weighted(circuit: &CircuitGraph, text: &str, column: &str) -> Result<DataSet, DataError> {
    let source = DataSource::new("d.csv", std::io::Cursor::new(text.as_bytes().to_vec()));
    read(source, circuit, &options(column))
}

fn options(column: &str) -> ReadOptions {
    ReadOptions {
        weight_column: Some(column.to_string()),
        ..ReadOptions::default()
    }
}

#[test]
fn weights_are_read_by_name_or_number() {
    let named = "x[0],w,x[1],id\n0,1.5,1,7\n1,0,?,8\n";
    let data = weighted(&bits(2), named, "w").unwrap();
    assert_eq!(data.weights, Some(vec![1.5, 0.0]));
    assert_eq!(
        data.table.columns()[1],
        Column::Small(vec![1, MISSING_SMALL])
    );
    let note = "the column `id` of d.csv is no variable of the circuit and is ignored";
    assert_eq!(data.notes, [note]);
    for (column, text) in [
        ("1", "2.5,0,1\n1,1,1\n"),
        ("2", "0,2.5,1\n1,1,1\n"),
        ("3", "0,1,2.5\n1,1,1\n"),
    ] {
        let data = weighted(&bits(2), text, column).unwrap();
        assert_eq!(data.weights, Some(vec![2.5, 1.0]), "{column}");
        assert_eq!(
            data.table.columns()[0],
            Column::Small(vec![0, 1]),
            "{column}"
        );
        assert_eq!(
            data.table.columns()[1],
            Column::Small(vec![1, 1]),
            "{column}"
        );
        chunks::hold(&bits(2), text.as_bytes(), &options(column));
    }
    chunks::hold(&bits(2), named.as_bytes(), &options("w"));
    assert_eq!(read_bytes(&bits(1), "1\n").unwrap().weights, None);
}

#[test]
fn weights_that_are_none_are_told() {
    let told = |cell: &str| {
        let error = weighted(&bits(1), &format!("x[0],w\n1,1\n1,{cell}\n"), "w");
        let error = error.map(|_| ()).unwrap_err().to_string();
        let end = "\n  help: write a finite number from 0 up";
        let error = error.strip_suffix(end).unwrap().to_string();
        error
            .strip_prefix("d.csv:3: column 2, `w`: ")
            .unwrap()
            .to_string()
    };
    assert_eq!(told("-1"), "the weight `-1` is negative");
    assert_eq!(told("inf"), "the weight `inf` is not finite");
    assert_eq!(told("1e999"), "the weight `1e999` is not finite");
    for missing in ["", "NA", "?", "nan"] {
        assert_eq!(told(missing), "the weight is missing");
    }
    assert_eq!(told("much"), "the weight `much` is not a number");
}

#[test]
fn columns_that_cannot_hold_weights_are_told() {
    let told = |text, column| weighted(&bits(2), text, column).unwrap_err().to_string();
    assert_eq!(
        told("x[0],x[1],weights\n0,1,1\n", "weight"),
        "d.csv:1: there is no column `weight` for weights\n  help: did you mean `weights`?"
    );
    assert_eq!(
        told("x[0],x[1]\n0,1\n", "x[1]"),
        "d.csv:1: column 2: the column `x[1]` belongs to a variable and cannot hold weights"
    );
    assert_eq!(
        told("x[0],x[1],w,w\n0,1,1,1\n", "w"),
        "d.csv:1: column 4: the header names the column `w` twice"
    );
    assert_eq!(
        told("0,1,1\n", "w"),
        "d.csv: there is no column `w` for weights: columns have no names here\n  help: give the \
         number of the column, from 1, or data with a header"
    );
    for number in ["0", "4"] {
        assert_eq!(
            told("0,1,1\n", number),
            format!(
                "d.csv: there is no column {number} for weights: 2 variables and weights are 3 \
                 columns\n  help: the first column is column 1"
            )
        );
    }
    assert!(told("0,1\n", "2").starts_with(
        "d.csv:1: the line has 2 cells, but the circuit has 2 variables and rows have a weight"
    ));
}

#[test]
fn some_weight_is_not_zero() {
    let text = "x[0],w\n1,0\n1,-0.0\n0,0\n";
    assert_eq!(
        weighted(&bits(1), text, "w").unwrap_err().to_string(),
        "d.csv: column 2, `w`: the weight of every row is zero"
    );
    // Chunks before the last one cannot know.
    let parts = read_chunks(&bits(1), text.as_bytes(), &options("w"), 1);
    assert!(
        parts
            .unwrap_err()
            .to_string()
            .ends_with("the weight of every row is zero")
    );
    let later = "x[0],w\n1,0\n1,2\n";
    assert_eq!(
        read_chunks(&bits(1), later.as_bytes(), &options("w"), 1)
            .unwrap()
            .len(),
        2
    );
}
