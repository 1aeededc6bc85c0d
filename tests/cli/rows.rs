//! Rows that questions are asked about: impossible ones, and soft evidence of any format.

use super::{PELTON, folder_with};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::basic::{Repetition, Type as PhysicalType};
use parquet::data_type::DoubleType;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use pelton_tests::command::{Run, json_lines};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

const PAIR: &str = "var rain, wet : bool;\n\
    root 0.3: rain * (0.9: wet + 0.1: !wet) + 0.7: !rain * !wet;\n";

fn run(folder: &TempDir, words: &str) -> Run {
    PELTON.run(folder.path(), words.split_whitespace())
}

/// It never rains on the second row, which is wet.
fn with_rows() -> TempDir {
    let folder = folder_with(PAIR);
    let rows = "rain,wet\n1,\n0,1\n,0\n";
    std::fs::write(folder.path().join("d.csv"), rows).unwrap();
    folder
}

const NOTE: &str = "the evidence of row 2 of 3 has probability zero, so that its answer is empty";

#[test]
fn impossible_rows_have_empty_answers_in_their_place() {
    let folder = with_rows();
    for (words, n_lines) in [
        ("query a.pcirc P(rain) --data d.csv --json", 3),
        ("map a.pcirc --data d.csv --json", 3),
        ("marginals a.pcirc --data d.csv --json", 6),
    ] {
        let run = run(&folder, words);
        assert_eq!(run.exit, Some(0), "{words}: {run:?}");
        assert!(run.stderr.contains(NOTE), "{words}: {run:?}");
        let lines = json_lines(&run.stdout);
        assert_eq!(lines.len(), n_lines, "{words}");
        for line in &lines {
            let number = line.get("value").or(line.pointer("/probabilities/true"));
            let number = number.unwrap_or_else(|| panic!("{words}: {line}"));
            assert_eq!(number.is_null(), line["row"] == 2, "{words}: {line}");
        }
    }
    let text = run(&folder, "query a.pcirc P(rain) --data d.csv");
    let lines: Vec<&str> = text.stdout.lines().collect();
    assert_eq!(lines, ["1.000000", "undefined", "0.041096"]);
    let text = run(&folder, "map a.pcirc --data d.csv");
    assert!(
        text.stdout.contains("row 2\n  undefined\nrow 3\n"),
        "{text:?}"
    );
}

#[test]
fn samples_of_impossible_rows_are_missing() {
    let folder = with_rows();
    let drawn = run(&folder, "sample a.pcirc -n 2 --data d.csv");
    assert_eq!(drawn.exit, Some(0), "{drawn:?}");
    assert!(drawn.stderr.contains(NOTE), "{drawn:?}");
    let lines: Vec<&str> = drawn.stdout.lines().collect();
    assert_eq!(lines.len(), 7, "{drawn:?}");
    assert_eq!(lines[3..5], [",", ","]);
    assert!(
        lines[5].ends_with(",0") && lines[1].starts_with("1,"),
        "{drawn:?}"
    );
    // They are read back as rows of which nothing is known.
    std::fs::write(folder.path().join("s.csv"), &drawn.stdout).unwrap();
    let back = run(&folder, "eval a.pcirc --data s.csv --per-row");
    assert_eq!(back.stdout.lines().count(), 6, "{back:?}");
    let alone = folder_with("var sky : {clear, storm};\nroot [sky = clear];\n");
    std::fs::write(alone.path().join("d.csv"), "sky\nstorm\nclear\n").unwrap();
    let drawn = run(&alone, "sample a.pcirc --data d.csv");
    assert_eq!(drawn.stdout, "sky\n?\nclear\n", "{drawn:?}");
}

#[test]
fn rows_that_are_all_impossible_are_a_failure() {
    let folder = with_rows();
    std::fs::write(folder.path().join("d.csv"), "rain,wet\n0,1\n0,1\n").unwrap();
    for words in [
        "query a.pcirc P(rain) --data d.csv",
        "marginals a.pcirc --data d.csv",
        "map a.pcirc --data d.csv",
        "sample a.pcirc --data d.csv",
    ] {
        let run = run(&folder, words);
        assert_eq!(run.exit, Some(3), "{words}: {run:?}");
        let says = "the evidence of 2 of 2 rows has probability zero";
        assert!(run.stderr.contains(says), "{words}: {run:?}");
    }
}

#[test]
fn a_circuit_that_is_zero_is_called_so_everywhere() {
    let folder = folder_with("var a : bool;\nroot 0: a + 0: !a;\n");
    for words in [
        "query a.pcirc P(a)",
        "marginals a.pcirc",
        "map a.pcirc",
        "sample a.pcirc",
        "entropy a.pcirc",
        "moments a.pcirc",
        "mi a.pcirc a a",
        "marginalize a.pcirc --onto a",
    ] {
        let run = run(&folder, words);
        if words.starts_with("mi") {
            assert_eq!(run.exit, Some(2), "{words}: {run:?}");
            continue;
        }
        assert_eq!(run.exit, Some(3), "{words}: {run:?}");
        let says = "the circuit is zero for every input, so that there is nothing to ask of it";
        assert!(run.stderr.contains(says), "{words}: {run:?}");
    }
}

/// Weights of `rain=false`, `rain=true`, `wet=false`, `wet=true`; a row without any for wet.
const WEIGHTS: [[f64; 4]; 3] = [
    [0.2, 0.8, 1.0, 0.5],
    [1.0, 0.0, f64::NAN, f64::NAN],
    [0.5, 0.25, 0.25, 1.0],
];
const NAMES: [&str; 4] = ["rain=false", "rain=true", "wet=false", "wet=true"];

fn csv() -> String {
    let cell = |x: &f64| {
        if x.is_nan() {
            String::new()
        } else {
            x.to_string()
        }
    };
    let line = |row: &[f64; 4]| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
    let rows: String = WEIGHTS.iter().map(line).collect();
    format!("{}\n{rows}", NAMES.join(","))
}

fn npy() -> Vec<u8> {
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(WEIGHTS.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

/// Nulls where there is no weight.
fn parquet() -> Vec<u8> {
    let column = |name: &str| {
        let column = Type::primitive_type_builder(name, PhysicalType::DOUBLE)
            .with_repetition(Repetition::OPTIONAL);
        Arc::new(column.build().unwrap())
    };
    let columns = NAMES.map(column).to_vec();
    let schema = Type::group_type_builder("m").with_fields(columns);
    let schema = schema.build().unwrap();
    let properties = Arc::new(WriterProperties::builder().build());
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties).unwrap();
    let mut group = file.next_row_group().unwrap();
    for at in 0..NAMES.len() {
        let cells = WEIGHTS.map(|row| row[at]);
        let levels = cells.map(|x| i16::from(!x.is_nan()));
        let values: Vec<f64> = cells.into_iter().filter(|x| !x.is_nan()).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<DoubleType>()
            .write_batch(&values, Some(&levels), None)
            .unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    file.into_inner().unwrap()
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), bytes).unwrap();
}

#[test]
fn soft_evidence_comes_in_every_format_of_data() {
    let folder = folder_with(PAIR);
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(csv().as_bytes()).unwrap();
    write(folder.path(), "s.csv", csv());
    write(folder.path(), "s.csv.gz", packed.finish().unwrap());
    write(folder.path(), "s.npy", npy());
    write(folder.path(), "s.parquet", parquet());
    // P(rain) is the weighed mass of rain over that of everything.
    let expected = WEIGHTS.map(|[dry, rain, not_wet, wet]| {
        let [not_wet, wet] = [not_wet, wet].map(|x| if x.is_nan() { 1.0 } else { x });
        let rainy = 0.3 * rain * (0.9 * wet + 0.1 * not_wet);
        rainy / (rainy + 0.7 * dry * not_wet)
    });
    for file in ["s.csv", "s.csv.gz", "s.npy", "s.parquet"] {
        let run = run(
            &folder,
            &format!("query a.pcirc P(rain) --soft {file} --json"),
        );
        assert_eq!(run.exit, Some(0), "{file}: {run:?}");
        let found = json_lines(&run.stdout);
        assert_eq!(found.len(), 3, "{file}");
        for (line, expected) in found.iter().zip(expected) {
            let found = line["value"].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-6, "{file}: {line} {expected}");
        }
        for command in ["marginals", "map", "sample"] {
            let run = self::run(&folder, &format!("{command} a.pcirc --soft {file}"));
            assert_eq!(run.exit, Some(0), "{command} {file}: {run:?}");
        }
    }
}

#[test]
fn weights_of_soft_evidence_may_be_of_any_size() {
    let folder = folder_with(PAIR);
    for options in ["", "--precision f64", "--engine reference", "--engine wide"] {
        for (dry, rain) in [("2e300", "6e300"), ("2e-309", "6e-309"), ("2e-60", "6e-60")] {
            let text = format!("rain=false,rain=true\n{dry},{rain}\n");
            write(folder.path(), "s.csv", text);
            let ask = format!("query a.pcirc P(rain) --soft s.csv --json {options}");
            let asked = run(&folder, &ask);
            assert_eq!(asked.exit, Some(0), "{options}: {asked:?}");
            let p = json_lines(&asked.stdout)[0]["value"].as_f64().unwrap();
            assert!((p - 0.5625).abs() < 1e-6, "{options} {rain}: {p}");
            let words = format!("marginals a.pcirc --soft s.csv --json {options}");
            let lines = json_lines(&run(&folder, &words).stdout);
            let p = lines[0]["probabilities"]["true"].as_f64().unwrap();
            assert!((p - 0.5625).abs() < 1e-6, "{options} {rain}: {p}");
            let words = format!("map a.pcirc --soft s.csv --json {options}");
            let best = &json_lines(&run(&folder, &words).stdout)[0];
            let p = best["value"].as_f64().unwrap();
            assert!((p - 0.50625).abs() < 1e-6, "{options} {rain}: {best}");
        }
    }
}

#[test]
fn values_far_from_all_leaves_keep_what_follows_from_them() {
    let folder = folder_with(
        "var b : bool; var t : real;\n\
        root 0.9: b * t ~ normal(0, 1) + 0.1: !b * t ~ normal(0, 1);\n",
    );
    write(folder.path(), "d.csv", "b,t\n,1e9\n,-1e12\n,3\n");
    let is_right = |line: &serde_json::Value, key: &str, words: &str| {
        let p = line.pointer(key).and_then(|p| p.as_f64());
        let p = p.unwrap_or_else(|| panic!("{words}: {line}"));
        assert!((p - 0.9).abs() < 1e-6, "{words}: {line}");
    };
    for options in ["", "--precision f64", "--engine reference", "--engine wide"] {
        for (words, key) in [
            ("query a.pcirc P(b) --data d.csv --json", "/value"),
            ("map a.pcirc --data d.csv --json", "/value"),
        ] {
            let words = format!("{words} {options}");
            let run = run(&folder, &words);
            assert_eq!(run.exit, Some(0), "{run:?}");
            let lines = json_lines(&run.stdout);
            assert_eq!(lines.len(), 3, "{run:?}");
            lines.iter().for_each(|line| is_right(line, key, &words));
        }
        let words = format!("marginals a.pcirc --data d.csv --json {options}");
        let lines = json_lines(&run(&folder, &words).stdout);
        let of_b: Vec<_> = lines
            .iter()
            .filter(|line| line["variable"] == "b")
            .collect();
        assert_eq!(of_b.len(), 3, "{lines:?}");
        for line in of_b {
            is_right(line, "/probabilities/true", &words);
        }
    }
    for (words, key) in [
        ("query a.pcirc P(b|t=1e9) --json", "/value"),
        ("map a.pcirc --given t=1e9 --json", "/value"),
        ("moments a.pcirc --given t=1e9 --json", "/mean"),
    ] {
        let run = run(&folder, words);
        assert_eq!(run.exit, Some(0), "{words}: {run:?}");
        is_right(&json_lines(&run.stdout)[0], key, words);
    }
    let left = run(&folder, "condition a.pcirc t=1e9 -o left.pcirc");
    assert_eq!(left.exit, Some(0), "{left:?}");
    let asked = run(&folder, "query left.pcirc P(b) --json");
    is_right(&json_lines(&asked.stdout)[0], "/value", "left");
}

#[test]
fn soft_evidence_without_names_has_a_column_for_each_value() {
    let folder = folder_with(
        "var rain : bool;\nvar sky : {clear, storm};\n\
        root rain ~ bernoulli(0.5) * sky ~ uniform();\n",
    );
    let mut bytes = npy();
    write(folder.path(), "s.npy", &bytes);
    assert_eq!(
        run(&folder, "query a.pcirc P(rain) --soft s.npy").exit,
        Some(0)
    );
    // A row less than the header says.
    bytes.truncate(bytes.len() - 32);
    write(folder.path(), "s.npy", &bytes);
    let cut = run(&folder, "query a.pcirc P(rain) --soft s.npy");
    assert!(matches!(cut.exit, Some(2 | 3)), "{cut:?}");
    let wide = folder_with("var rain : bool;\nroot rain ~ bernoulli(0.5);\n");
    write(wide.path(), "s.npy", npy());
    let run = run(&wide, "query a.pcirc P(rain) --soft s.npy");
    assert_eq!(run.exit, Some(3), "{run:?}");
    assert!(run.stderr.contains("4 columns"), "{run:?}");
}
