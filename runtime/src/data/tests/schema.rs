//! What columns hold, told from data alone.

mod names;

use super::*;
use pelton_compiler::circuit::{CircuitVariable, Domain};
use std::sync::Arc;

fn auto() -> ReadOptions {
    ReadOptions::default()
}

fn with_header(header: HeaderMode) -> ReadOptions {
    ReadOptions {
        header,
        ..ReadOptions::default()
    }
}

fn with_weights(column: &str) -> ReadOptions {
    ReadOptions {
        weight_column: Some(column.to_string()),
        ..ReadOptions::default()
    }
}

fn source(bytes: &[u8]) -> DataSource {
    DataSource::from_bytes("d.csv", Arc::from(bytes))
}

/// The schema of one source, with which the source can be read and whose text means the
/// same variables.
fn find(bytes: impl AsRef<[u8]>, options: &ReadOptions) -> SchemaFound {
    let bytes = bytes.as_ref();
    let found = super::schema(vec![source(bytes)], options, &SchemaLimits::default()).unwrap();
    check(&found.schema, bytes, options);
    found
}

fn check(schema: &Schema, bytes: &[u8], options: &ReadOptions) {
    let circuit = schema.circuit();
    let data = read(source(bytes), &circuit, options).unwrap();
    let is_missing = |column: &Column| *column == Column::Missing;
    assert!(!data.table.columns().iter().any(is_missing), "{schema:?}");
    let described = |variables: &[CircuitVariable]| -> Vec<String> {
        let describe = |v: &CircuitVariable| format!("{} {:?} {:?}", v.name, v.domain, v.binding);
        variables.iter().map(describe).collect()
    };
    let read_back = super::circuit(&text(schema));
    assert_eq!(
        described(read_back.variables()),
        described(circuit.variables())
    );
    assert_eq!(
        schema.reference(schema.columns.len() - 1),
        *schema.references().last().unwrap()
    );
}

/// A circuit of independent leaves, as a learner would write it.
fn text(schema: &Schema) -> String {
    let columns = schema.columns.iter().zip(schema.references());
    let leaves = columns.map(|(column, name)| match &column.domain {
        Domain::Bool => format!("{name} ~ bernoulli(?)"),
        Domain::Real => format!("{name} ~ normal(?, ?)"),
        _ => format!("{name} ~ categorical(?)"),
    });
    let leaves: Vec<String> = leaves.collect();
    format!("{}root {};", schema.declarations(), leaves.join(" * "))
}

fn declared(bytes: impl AsRef<[u8]>) -> String {
    find(bytes, &auto()).schema.declarations()
}

fn told(bytes: impl AsRef<[u8]>, options: &ReadOptions) -> String {
    let found = super::schema(
        vec![source(bytes.as_ref())],
        options,
        &SchemaLimits::default(),
    );
    match found {
        Ok(found) => panic!("{found:?}"),
        Err(error) => error.to_string(),
    }
}

/// Cells of one column below the header `v`.
fn column(cells: &[impl std::fmt::Display]) -> String {
    let lines = cells.iter().map(|cell| format!("{cell}\n"));
    format!("v\n{}", lines.collect::<String>())
}

#[test]
fn cells_tell_their_domain() {
    for (cells, domain) in [
        (&["0", "1", "1"][..], "bool"),
        (&["0"], "bool"),
        (&["1"], "bool"),
        (&["1.0", "", "0.0"], "bool"),
        (&["yes", "No", "NA", "TRUE"], "bool"),
        (&["true", "0"], "bool"),
        (&["0", "2", "20"], "0..21"),
        (&["1", "6", "3"], "1..7"),
        (&["3", "5", "4"], "0..6"),
        (&["18", "?", "90"], "0..91"),
        (&["100", "110"], "100..111"),
        (&["1990", "2020"], "1990..2021"),
        (&["7"], "7..8"),
        (&["-1", "0", "1"], "-1..2"),
        (&["0", "255"], "0..256"),
        (&["007", "+3", "2.0"], "0..8"),
        (&["0", "256"], "real"),
        (&["1", "256"], "1..257"),
        (&["200", "300"], "200..301"),
        (&["1", "2.5"], "real"),
        (&["1e300", "-5"], "real"),
        (&["9007199254740993", "0"], "real"),
        (&["red", "", "blue", "red"], "{blue, red}"),
        (&["red"], "{red}"),
        (
            &["\"very \"\"cold\"\"\"", "in", "a\\b"],
            "{\"a\\\\b\", \"in\", \"very \\\"cold\\\"\"}",
        ),
    ] {
        let found = find(column(cells), &with_header(HeaderMode::Yes));
        assert_eq!(
            found.schema.declarations(),
            format!("var v : {domain};\n"),
            "{cells:?}"
        );
        assert_eq!(found.notes, Vec::<String>::new(), "{cells:?}");
    }
}

#[test]
fn what_is_guessed_is_noted() {
    let mixed = find("v,w\n1,0\n2.5,0\nlow,1\n", &with_header(HeaderMode::Yes));
    assert_eq!(
        mixed.schema.declarations(),
        "var v : {\"1\", \"2.5\", low};\nvar w : bool;\n"
    );
    assert_eq!(
        mixed.notes,
        ["`v` in d.csv has numbers and texts, such as `low`: each value is taken as a category"]
    );
    let empty = find("v,w,z\n1,,?\n0,NA,nan\n", &auto());
    assert_eq!(empty.schema.declarations(), "var v, w, z : bool;\n");
    assert_eq!(
        empty.notes,
        ["every cell of `w` and `z` is missing in d.csv: bool is as good as anything"]
    );
}

fn join(first: &str, second: &str) -> Result<SchemaFound, DataError> {
    let sources = vec![
        source(first.as_bytes()),
        DataSource::from_bytes("v.csv", Arc::from(second.as_bytes())),
    ];
    let found = super::schema(sources, &auto(), &SchemaLimits::default())?;
    check(&found.schema, first.as_bytes(), &auto());
    check(&found.schema, second.as_bytes(), &auto());
    Ok(found)
}

#[test]
fn values_of_all_sources_belong_to_the_domain() {
    let declared = |first, second| join(first, second).unwrap().schema.declarations();
    assert_eq!(
        declared("0,1\n1,1\n", "0,0\n2,1\n"),
        "var x[0..2] : 0..3;\n"
    );
    assert_eq!(
        declared("sky,n\nblue,1\nblue,0\n", "n,sky\n0,grey\n"),
        "var sky : {blue, grey};\nvar n : bool;\n"
    );
    assert_eq!(
        declared("sky,n\nblue,1\nblue,0\n", "grey,7\n"),
        "var sky : {blue, grey};\nvar n : 0..8;\n"
    );
    // Names that are known are no guess.
    let known = join("a,b\nx,0\ny,1\n", "b,a\n0,z\n").unwrap();
    assert_eq!(known.notes, Vec::<String>::new());
    // A line of texts is a row if the first source has no names.
    assert_eq!(declared("u\nv\nu\n", "w\n"), "var x[0..1] : {u, v, w};\n");
    let error = |first, second| join(first, second).unwrap_err().worded(as_data);
    assert_eq!(
        error("0,1\n", "0\n"),
        "v.csv: it has 1 column for variables, but d.csv has 2 columns\n  help: without a \
         header, columns are the same ones by order"
    );
    assert_eq!(
        error("0,1\n", "a,b\n0,1\n"),
        "v.csv: it has names for its columns, `a` and `b`, but d.csv has none\n  help: give both \
         a header, or DenyHeader"
    );
}

#[test]
fn data_that_are_no_table_are_told() {
    for (text, message) in [
        ("", "d.csv: there is nothing in it"),
        (" \n\n", "d.csv: there is nothing in it"),
        ("a,b\n", "d.csv: there is only a header in it, and no row"),
        (
            "0,1\n\n0,1,1\n",
            "d.csv:3: the line has 3 cells, but the first line has 2\n  help: a cell that holds \
             the delimiter or a line end must be in quotes",
        ),
        (
            "a,b,a\n0,1,1\n",
            "d.csv:1: column 3: the header names the column `a` twice",
        ),
        (
            "t,n\n1.5,0\ninf,1\n",
            "d.csv: column 1, `t`: `inf` is not a finite number\n  help: a cell that is empty, \
             `?`, `NA`, `nan` is missing",
        ),
    ] {
        assert_eq!(told(text, &auto()), message);
    }
    let bytes = told(b"a,b\n0,1\n\xff,1\n", &auto());
    assert!(
        bytes.starts_with("d.csv:3: column 1, `a`: `\u{fffd}` is not UTF-8 text"),
        "{bytes}"
    );
    let no_source = super::schema(Vec::new(), &auto(), &SchemaLimits::default());
    assert!(no_source.is_err());
}

#[test]
fn columns_of_too_many_texts_are_told() {
    let names: String = (0..1001).map(|row| format!("{row},n{row}\n")).collect();
    assert_eq!(
        told(format!("id,who\n{names}"), &auto()),
        "d.csv:1002: column 2, `who`: there are more than 1,000 different texts in the column\n  \
         help: leave out columns such as names, remarks and identifiers"
    );
    let numbers: String = (0..3000).map(|row| format!("{}.5\n", row)).collect();
    for marked in [format!("t\n{numbers}n/a\n"), format!("t\nn/a\n{numbers}")] {
        let error = told(marked, &auto());
        assert!(
            error.contains(": column 1, `t`: `n/a` is not a number, but most cells are\n"),
            "{error}"
        );
    }
    assert_eq!(declared(format!("t\n{numbers}?\n")), "var t : real;\n");
    let long = told(format!("t\nb\n{}\n", "a".repeat(1001)), &auto());
    assert!(long.contains("is longer than 1000 bytes"), "{long}");
    let limits = SchemaLimits {
        max_range: 10,
        max_categories: 2,
    };
    let found = super::schema(vec![source(b"a,b\n10,u\n0,v\n")], &auto(), &limits).unwrap();
    assert_eq!(
        found.schema.declarations(),
        "var a : real;\nvar b : {u, v};\n"
    );
    assert!(super::schema(vec![source(b"b\nu\nv\nw\n")], &auto(), &limits).is_err());
}

#[test]
fn arrays_tell_their_domains() {
    let bytes = super::npy::npy("'|u1'", "False", "(2, 3)", &[0, 1, 0, 1, 1, 0]);
    assert_eq!(declared(&bytes), "var x[0..3] : bool;\n");
    assert_eq!(declared(gzipped(&bytes)), "var x[0..3] : bool;\n");
    assert_eq!(
        find(&bytes, &with_weights("1")).schema.declarations(),
        "var x[0..2] : bool;\n"
    );
    let floats: Vec<u8> = [0.0, 1.5, 4.0, f64::NAN, 300.0, 1.0]
        .iter()
        .flat_map(|x: &f64| x.to_le_bytes())
        .collect();
    for (order, expected) in [
        ("False", "var x0 : bool;\nvar x1 : real;\nvar x2 : 1..5;\n"),
        ("True", "var x0 : real;\nvar x1 : 4..5;\nvar x2 : real;\n"),
    ] {
        let bytes = super::npy::npy("'<f8'", order, "(2, 3)", &floats);
        assert_eq!(declared(bytes), expected);
    }
    let many: Vec<u8> = (0..5000i32).flat_map(|x| (x * 3).to_le_bytes()).collect();
    assert_eq!(
        declared(super::npy::npy("'<i4'", "False", "(5000,)", &many)),
        "var x[0..1] : real;\n"
    );
    for (shape, message) in [
        ("(0, 3)", "d.csv: there is no row in it"),
        ("(3, 0)", "d.csv: there is no column for a variable in it"),
        (
            "(1, 99999999999)",
            "d.csv: there are more than 1,048,576 columns",
        ),
        (
            "(9, 3)",
            "d.csv: the array ends too early: its header says 9 rows; was it copied completely?",
        ),
    ] {
        let bytes = super::npy::npy("'|u1'", "False", shape, &[0; 6]);
        assert_eq!(told(bytes, &auto()), message);
    }
    let infinite = super::npy::npy("'<f8'", "False", "(1,)", &f64::INFINITY.to_le_bytes());
    assert!(told(infinite, &auto()).starts_with("d.csv: row 1: column 1: `inf` is not a number"));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_columns_tell_their_domains() {
    use super::parquet::{Cells, parquet};
    let columns = || {
        [
            Cells::Text(vec![Some("very cold"), None, Some("clear")]),
            Cells::Double(vec![Some(15.0), Some(-99.5), Some(f64::NAN)]),
            Cells::Bool(vec![Some(true), Some(false), None]),
            Cells::Int32(vec![Some(8), Some(2), Some(1)]),
            Cells::Int64(vec![Some(3), None, Some(i64::MAX)]),
            Cells::Float(vec![Some(0.5), Some(1.0), Some(0.0)]),
            Cells::Int32(vec![Some(8), Some(2), Some(1)]),
        ]
    };
    let file = |last: &str| {
        let schema = format!(
            "OPTIONAL BYTE_ARRAY sky (UTF8); OPTIONAL DOUBLE t; OPTIONAL BOOLEAN rain; \
             REQUIRED INT32 oktas (UINT_8); OPTIONAL INT64 calls; OPTIONAL FLOAT w; {last};"
        );
        let properties = ::parquet::file::properties::WriterProperties::builder();
        parquet(&schema, &columns(), 2, properties)
    };
    let bytes = file("REQUIRED INT32 when (DATE)");
    let found = find(&bytes, &with_weights("w"));
    assert_eq!(
        found.schema.declarations(),
        "var sky : {clear, \"very cold\"};\nvar t : real;\nvar rain : bool;\nvar oktas : 1..9;\n\
         var calls : real;\n"
    );
    assert_eq!(
        found.notes,
        ["the column `when` of d.csv holds dates, which no variable does, and is left out"]
    );
    let by_order = told(&bytes, &with_header(HeaderMode::No));
    assert!(by_order.starts_with("d.csv: column 7, `when`: the column holds dates"));
    let index = find(file("REQUIRED INT32 __index_level_0__"), &auto());
    assert_eq!(index.schema.columns.len(), 6);
    let by_order = find(file("REQUIRED INT32 n"), &with_header(HeaderMode::No));
    assert_eq!(by_order.schema.columns[6].variable, "x6");
}

/// Independent variables can be learned and evaluated as they are.
#[test]
fn the_circuit_of_a_schema_is_a_circuit() {
    let found = find(
        "a,b,c,d\n0,2.5,u,3\n1,3.5,u,3\n",
        &with_header(HeaderMode::Yes),
    );
    let circuit = found.schema.circuit();
    let options = pelton_compiler::check::CheckOptions::default();
    let mut messages = pelton_grammar::diagnostic::SourceDiagnostics::new();
    let facts = pelton_compiler::check::examine(&circuit, &options, &mut messages);
    assert!(!messages.has_errors(), "{facts:?}");
}
