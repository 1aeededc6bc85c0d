//! Readers on what people and machines write.

mod chunks;
mod damage;
mod names;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_limits;
mod schema;
mod weights;

use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::{AnalysisOptions, analyze};
use pelton_grammar::remedy::{RemedyOption, WordedError};
use std::io::{Read, Write};

const WEATHER: &str = "var sky : {clear, cloudy, \"very cold\"};
@column(\"t\") @missing(\"-99\") var temp : real;
var rain : bool;
var oktas : 1..9;
var calls : nat;
root sky ~ uniform() * temp ~ normal(0, 1) * rain * oktas ~ uniform() * calls ~ poisson(1);";

pub(super) fn circuit(text: &str) -> CircuitGraph {
    let input = SourceInput {
        name: "t.pcirc".to_string(),
        path: None,
        bytes: text.as_bytes().to_vec(),
    };
    let analysis = analyze(input, &FileLoader, &AnalysisOptions::default());
    analysis.circuit.expect("the test's circuit is right")
}

fn bits(n_variables: usize) -> CircuitGraph {
    circuit(&format!(
        "var x[0..{n_variables}] : bool; root prod i in 0..{n_variables} {{ x[i] }};"
    ))
}

fn read_bytes(circuit: &CircuitGraph, bytes: impl Into<Vec<u8>>) -> Result<DataSet, DataError> {
    let source = DataSource::new("d.csv", std::io::Cursor::new(bytes.into()));
    read(source, circuit, &ReadOptions::default())
}

/// What is read in chunks of so many rows is what is read at once.
fn read_chunks(
    circuit: &CircuitGraph,
    bytes: &[u8],
    options: &ReadOptions,
    max_rows: usize,
) -> Result<Vec<TableChunk>, DataError> {
    let source = DataSource::new("d.csv", std::io::Cursor::new(bytes.to_vec()));
    let mut reader = TableReader::open(source, circuit, options)?;
    let mut chunks = Vec::new();
    while let Some(chunk) = reader.next_chunk(max_rows)? {
        chunks.push(chunk);
    }
    Ok(chunks)
}

fn read_with(circuit: &CircuitGraph, text: &str, header: HeaderMode) -> Result<DataSet, DataError> {
    let source = DataSource::new("d.csv", std::io::Cursor::new(text.as_bytes().to_vec()));
    let options = ReadOptions {
        header,
        ..ReadOptions::default()
    };
    read(source, circuit, &options)
}

fn message(circuit: &CircuitGraph, bytes: impl Into<Vec<u8>>) -> String {
    match read_bytes(circuit, bytes) {
        Ok(data) => panic!("{data:?}"),
        Err(error) => error.worded(as_data),
    }
}

/// Options as the data that they are.
fn as_data(option: RemedyOption) -> Option<String> {
    Some(format!("{option:?}"))
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn cells_are_read_by_the_domains_of_their_columns() {
    let text =
        "rain,t, calls,oktas,sky\nyes,1.5e1,3,8,very cold\nFALSE,-99,NA,?,\n1.0,nan,2.0,1,clear\n";
    let table = read_bytes(&circuit(WEATHER), text).unwrap().table;
    let [sky, temp, rain, oktas, calls] = table.columns() else {
        panic!("{table:?}");
    };
    assert_eq!(table.n_rows(), 3);
    assert_eq!(*sky, Column::Small(vec![2, MISSING_SMALL, 0]));
    assert_eq!(*rain, Column::Small(vec![1, 0, 1]));
    assert_eq!(*oktas, Column::Small(vec![7, MISSING_SMALL, 0]));
    let reals = |column: &Column| match column {
        Column::Reals(cells) => cells.iter().map(|x| format!("{x}")).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(reals(temp), ["15", "NaN", "NaN"]);
    assert_eq!(reals(calls), ["3", "NaN", "2"]);
}

#[test]
fn a_category_may_be_called_as_missing_cells_are() {
    let circuit = circuit("var land : {DE, NA}; var x : bool; root land ~ uniform() * x;");
    let table = read_bytes(&circuit, "NA,1\nDE,NA\n").unwrap().table;
    assert_eq!(table.columns()[0], Column::Small(vec![1, 0]));
    assert_eq!(table.columns()[1], Column::Small(vec![1, MISSING_SMALL]));
}

/// Lines of digits take another way than all others, and mean the same.
#[test]
fn plain_rows_and_others_are_read_alike() {
    let rows: Vec<Vec<u8>> = (0..300)
        .map(|row| (0..7).map(|at| u8::from(row * (at + 3) % 5 < 2)).collect())
        .collect();
    let join = |row: &Vec<u8>, with: &str| {
        let cells: Vec<String> = row.iter().map(u8::to_string).collect();
        cells.join(with)
    };
    let expected = {
        let values = rows
            .iter()
            .map(|row| row.iter().map(|&x| f64::from(x)).collect());
        Table::from_assignments(&bits(7), &values.collect::<Vec<_>>())
    };
    let lines = |with: &str, end: &str| -> String {
        rows.iter().map(|row| join(row, with) + end).collect()
    };
    let plain = lines(",", "\n");
    let mixed: String = rows
        .iter()
        .enumerate()
        .map(|(at, row)| join(row, if at % 70 == 69 { " , " } else { "," }) + "\n")
        .collect();
    let header = "x[0],x[1],x[2],x[3],x[4],x[5],x[6]\n";
    for text in [
        plain.clone(),
        plain.trim_end().to_string(),
        lines(",", "\r\n"),
        lines(", ", "\n"),
        lines(";", "\n"),
        lines("\t", "\n"),
        lines(",", "\n\n"),
        mixed,
        format!("{header}{plain}"),
        format!("\u{feff}{header}{plain}"),
    ] {
        assert_eq!(read_bytes(&bits(7), text.clone()).unwrap().table, expected);
        assert_eq!(
            read_bytes(&bits(7), gzipped(text.as_bytes()))
                .unwrap()
                .table,
            expected
        );
    }
}

/// A stream that gives a byte at a time.
struct Trickle(std::io::Cursor<Vec<u8>>);

impl Read for Trickle {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n_bytes = out.len().min(1);
        self.0.read(&mut out[..n_bytes])
    }
}

#[test]
fn how_a_stream_comes_in_makes_no_difference() {
    let text = "0,1,0\r\n1,\"1\",?\r\n0,0,1\n".as_bytes().to_vec();
    let whole = read_bytes(&bits(3), text.clone()).unwrap().table;
    for bytes in [text.clone(), gzipped(&text)] {
        let source = DataSource::new("pipe", Trickle(std::io::Cursor::new(bytes)));
        let table = read(source, &bits(3), &ReadOptions::default())
            .unwrap()
            .table;
        assert_eq!(table, whole);
    }
}

#[test]
fn columns_are_bound_by_name_in_any_order_and_notes_tell_the_rest() {
    let data = read_bytes(&bits(3), "x[2],x[0],x[1]\n1,0,0\n").unwrap();
    assert_eq!(data.notes, Vec::<String>::new());
    assert_eq!(data.table.columns()[2], Column::Small(vec![1]));
    let data = read_bytes(&bits(2), "id,x[1],x[0],when\n7,1,0,now\n").unwrap();
    assert_eq!(
        data.notes,
        ["the columns `id` and `when` of d.csv are no variables of the circuit and are ignored"]
    );
    let data = read_bytes(&bits(3), "x[1]\n1\n").unwrap();
    assert_eq!(
        data.notes,
        ["d.csv has no columns for `x[0]` and `x[2]`, which are missing in every row"]
    );
    assert_eq!(data.table.columns()[0], Column::Missing);
    let pairs = circuit("var x[0..1, 0..2] : bool; root x[0, 0] * x[0, 1];");
    let data = read_bytes(&pairs, "\"x[0,1]\",\"x[0, 0]\"\n1,0\n").unwrap();
    assert_eq!(data.table.columns()[1], Column::Small(vec![1]));
}

#[test]
fn half_a_header_is_an_error_unless_it_is_asked_for() {
    let text = "x[0],x[l]\n1,0\n";
    assert_eq!(
        message(&bits(2), text),
        "d.csv:1: the header names some variables and not others: `x[l]` is no variable, and \
         there is no column for `x[1]`\n  help: did you write `x[l]` for `x[1]`? \
         IgnoreOtherColumns"
    );
    let data = read_with(&bits(2), text, HeaderMode::Yes).unwrap();
    assert_eq!(data.notes.len(), 2);
    assert_eq!(data.table.columns()[1], Column::Missing);
}

#[test]
fn headers_that_cannot_be_used_are_told() {
    assert_eq!(
        message(&bits(2), "a,b\n0,1\n"),
        "d.csv:1: no column has the name of a variable: `a` and `b`\n  help: the circuit asks for \
         `x[0]` and `x[1]`; `@column(\"…\")` before a variable gives the name of its column"
    );
    assert_eq!(
        message(&bits(2), "x[0],x[0],x[1]\n0,1,1\n"),
        "d.csv:1: column 2: the header names the column `x[0]` twice"
    );
    let same = circuit("var a : {a, b}; root a ~ uniform();");
    assert_eq!(
        message(&same, "a\nb\n"),
        "d.csv:1: the first line may be a header or a row: its cells are both names and values\n  \
         help: StateHeader"
    );
    assert_eq!(
        read_with(&same, "a\nb\n", HeaderMode::No)
            .unwrap()
            .table
            .n_rows(),
        2
    );
    assert_eq!(
        read_with(&same, "a\nb\n", HeaderMode::Yes)
            .unwrap()
            .table
            .n_rows(),
        1
    );
    // Two of the names are cells, but the line is a row all the same.
    let both = circuit("var a, b : {a, b}; root a ~ uniform() * b ~ uniform();");
    assert_eq!(
        read_with(&both, "b,b\n", HeaderMode::Auto)
            .unwrap()
            .table
            .n_rows(),
        1
    );
}

#[test]
fn cells_that_do_not_fit_are_told_with_place_and_remedy() {
    let circuit = circuit(WEATHER);
    let with = |cells: &str| {
        let error = read_bytes(
            &circuit,
            format!("sky,t,rain,oktas,calls\nclear,1,1,1,1\n{cells}\n"),
        );
        let error = error.map(|_| ()).unwrap_err();
        assert_eq!((error.kind, error.line), (DataErrorKind::Unfit, Some(3)));
        let help = error.help.clone().unwrap_or_default().to_string();
        let first = help.split("; a cell that is empty").next().unwrap();
        let (number, name) = error.column.clone().unwrap();
        format!("{number} {}: {} ({first})", name.unwrap(), error.message)
    };
    for (cells, expected) in [
        (
            "cloudi,1,1,1,1",
            "1 sky: `cloudi` is not a category of `sky` (did you mean `cloudy`?)",
        ),
        (
            "Clear,1,1,1,1",
            "1 sky: `Clear` is not a category of `sky` (did you mean `clear`?)",
        ),
        (
            "1,1,1,1,1",
            "1 sky: `1` is not a category of `sky` (categories are written by name, not by number: \
             `clear`, `cloudy` and `very cold`)",
        ),
        (
            "foggy,1,1,1,1",
            "1 sky: `foggy` is not a category of `sky` (write one of `clear`, `cloudy` and `very cold`)",
        ),
        (
            "clear,warm,1,1,1",
            "2 t: `warm` is not a number (write a finite number such as 12.5 or -3e-4)",
        ),
        (
            "clear,\"1,5\",1,1,1",
            "2 t: `1,5` is not a number (write the decimal point as a point)",
        ),
        (
            "clear,inf,1,1,1",
            "2 t: `inf` is not a number (write a finite number such as 12.5 or -3e-4)",
        ),
        (
            "clear,1,2,1,1",
            "3 rain: `2` is neither true nor false (write 0 or 1, true or false, yes or no)",
        ),
        (
            "clear,1,1,9,1",
            "4 oktas: `9` is not in the range 1..9 (write an integer from 1 to 8)",
        ),
        (
            "clear,1,1,1.5,1",
            "4 oktas: `1.5` is not an integer (write an integer from 1 to 8)",
        ),
        (
            "clear,1,1,1,-1",
            "5 calls: `-1` is not a natural number (write an integer from 0 up)",
        ),
    ] {
        assert_eq!(with(cells), expected);
    }
    let whole = message(&circuit, "clear,cold,1,1,1\n");
    assert_eq!(
        whole,
        "d.csv:1: column 2: `cold` is not a number\n  help: write a finite number such as 12.5 or \
         -3e-4; a cell that is empty, `?`, `NA`, `nan`, `-99` is missing"
    );
}

#[test]
fn lines_of_another_length_are_told() {
    assert_eq!(
        message(&bits(3), "0,1,0\n0,1\n"),
        "d.csv:2: the line has 2 cells, but the circuit has 3 variables\n  help: without a header, \
         columns are bound to variables by order; a header with the variables' names may leave some out"
    );
    assert_eq!(
        message(&bits(2), "x[0],x[1]\n\n0,1,\n"),
        "d.csv:3: the line has 3 cells, but the header names 2 columns\n  help: a cell that holds \
         the delimiter or a line end must be in quotes"
    );
}

#[test]
fn files_without_rows_are_told() {
    for text in ["", "\n \r\n", "\u{feff}"] {
        assert_eq!(message(&bits(2), text), "d.csv: there is nothing in it");
    }
    let only = message(&bits(2), "x[0],x[1]\n");
    assert_eq!(only, "d.csv: there is only a header in it, and no row");
}

#[test]
fn bytes_that_are_no_text_are_told() {
    assert!(
        message(&bits(2), b"0,\xff\n")
            .starts_with("d.csv:1: column 2: `\u{fffd}` is not UTF-8 text")
    );
    for (bytes, format) in [
        (&b"PARE\x2c\0\0\0"[..], "an encrypted Parquet file"),
        (b"PK\x03\x04", "a zip archive (.npz is one)"),
        (b"\xff\xfe0\x00,\x00", "UTF-16 text"),
    ] {
        let expected = format!(
            "d.csv: it is {format}, which is not read\n  help: write CSV, .data, Parquet or .npy, \
             each of them gzipped or not"
        );
        assert_eq!(message(&bits(2), bytes), expected);
    }
    // What is in a column that nobody asks for does not matter.
    assert!(read_bytes(&bits(1), b"x[0],note\n1,\xff\n").is_ok());
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_it() {
    assert_eq!(
        message(&bits(2), b"PAR1\x15\x04"),
        "d.csv: it is a Parquet file, and this build does not read those\n  help: build with the \
         feature `parquet` of `pelton-runtime`, which is on by default, or write CSV or .npy"
    );
}

#[test]
fn damaged_archives_are_told() {
    let text: String = (0..5000).map(|row| format!("{},1\n", row % 2)).collect();
    let whole = gzipped(text.as_bytes());
    let cut = read_bytes(&bits(2), &whole[..whole.len() - 9]).unwrap_err();
    assert_eq!(cut.kind, DataErrorKind::Unreadable);
    assert_eq!(
        cut.to_string(),
        "d.csv: the gzip archive ends too early; was it copied completely?"
    );
    let mut bent = whole.clone();
    let at = bent.len() - 6;
    bent[at] ^= 0xff;
    assert_eq!(
        message(&bits(2), bent),
        "d.csv: the gzip archive is damaged"
    );
    let two = [gzipped(b"0,1\n"), gzipped(b"1,1\n")].concat();
    assert_eq!(read_bytes(&bits(2), two).unwrap().table.n_rows(), 2);
}

#[test]
fn an_endless_line_is_told() {
    let endless = DataSource::new("pipe", std::io::repeat(b'0'));
    let error = read(endless, &bits(2), &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pipe:1: the line is longer than 16 MiB\n  help: is a quote left open, or is it no text?"
    );
    let mut open = b"0,1\n0,\"1\n".to_vec();
    open.extend(b"0,1\n".repeat(5 << 20));
    assert!(message(&bits(2), open).starts_with("d.csv:2: the line is longer than 16 MiB"));
}

#[test]
fn values_of_ranges_that_are_digits_keep_their_bounds() {
    let circuit =
        circuit("var d : 2..5; @missing(\"3\") var e : 0..10; root d ~ uniform() * e ~ uniform();");
    let table = read_bytes(&circuit, "2,3\n4,9\n").unwrap().table;
    assert_eq!(table.columns()[0], Column::Small(vec![0, 2]));
    assert_eq!(table.columns()[1], Column::Small(vec![MISSING_SMALL, 9]));
    assert!(
        message(&circuit, "2,1\n5,0\n").contains("d.csv:2: column 1: `5` is not in the range 2..5")
    );
    assert!(message(&circuit, "1,1\n").contains("d.csv:1: column 1: `1` is not in the range 2..5"));
}
