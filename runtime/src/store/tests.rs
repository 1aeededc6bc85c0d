//! How values are laid out, and what is said of files that do not fit.

use super::*;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::{AnalysisOptions, analyze};
use std::path::Path;

const MIXTURE: &str = "const K = 2;
var height : real;
var species : {a, b, c};
var x[0..2] : bool;
param w : simplex(K) = ?;
param mu[1..K + 1] : real = ?;
param q[0..K, 0..2] : unit = ?;
node comp[k in 0..K] = height ~ normal(mu[k + 1], ?2.5) * species ~ categorical(?)
    * (prod i in 0..2 { 0.5: x[i] ~ bernoulli(?) + 0.5: x[i] ~ bernoulli(q[k, i]) });
root sum k in 0..K { ?: comp[k] };
";

fn read(text: &str) -> (ModelDocument, CircuitGraph) {
    let input = SourceInput {
        name: "a.pcirc".into(),
        path: None,
        bytes: text.as_bytes().to_vec(),
    };
    let analysis = analyze(input, &FileLoader, &AnalysisOptions::default());
    let document = ModelDocument::of(&analysis.program, &AnalysisOptions::default());
    let found = format!("{:?}", analysis.found);
    let checked = analysis.into_checked();
    let checked = checked.unwrap_or_else(|| panic!("{found}"));
    (document, checked.into_circuit())
}

fn bytes_of(text: &str) -> Vec<u8> {
    let (document, circuit) = read(text);
    to_bytes(&document, &circuit, &circuit.start_values()).unwrap()
}

fn loaded(bytes: &[u8]) -> Result<RestoredModel, StoreError> {
    StoredModel::from_bytes(bytes)?.load(Path::new("a.pelton"), &AnalysisOptions::default())
}

fn fault(bytes: &[u8]) -> String {
    match loaded(bytes) {
        Ok(_) => panic!("this should not be read"),
        Err(error) => error.to_string(),
    }
}

/// Replaces a text of the header by one of the same length.
fn edited(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let at = bytes
        .windows(old.len())
        .position(|part| part == old.as_bytes());
    let at = at.unwrap_or_else(|| panic!("`{old}` is not there"));
    let mut edited = bytes.to_vec();
    edited[at..at + new.len()].copy_from_slice(new.as_bytes());
    edited
}

#[test]
fn parameters_are_tensors_by_name() {
    let (_, circuit) = read(MIXTURE);
    let blocks = layout::layout(&circuit);
    let shown = blocks
        .iter()
        .map(|block| format!("{} {:?}", block.name, block.shape));
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "w [2]",
            "mu [2]",
            "q [2, 2, 2]",
            "comp.height.sd [2]",
            "comp.species.p [2, 3]",
            "comp.x.p [2, 2, 2]",
            "root.weights [2]",
        ]
    );
}

#[test]
fn many_single_parameters_share_tensors() {
    let sums = (0..10_001).map(|n| format!("node n{n} = ?: x[{n}] + ?: !x[{n}];\n"));
    let text = format!(
        "var x[0..10001] : bool;\n{}root prod i in 0..1 {{ {} }};",
        sums.collect::<String>(),
        (0..10_001)
            .map(|n| format!("n{n}"))
            .collect::<Vec<_>>()
            .join(" * ")
    );
    let (document, circuit) = read(&text);
    let blocks = layout::layout(&circuit);
    assert_eq!(blocks.len(), 1);
    assert_eq!(
        (&*blocks[0].name, &*blocks[0].shape),
        ("many.simplex_2", &[10_001, 2][..])
    );
    let values = circuit.start_values();
    let bytes = to_bytes(&document, &circuit, &values).unwrap();
    assert_eq!(
        loaded(&bytes).unwrap().checked.circuit().start_values(),
        values
    );
}

#[test]
fn nodes_that_fill_no_box_are_listed() {
    let (document, circuit) = read(
        "var x[0..2] : bool;
         node z[i in 0..2, j in 0..2 where i + j == 1] = x[i] ~ bernoulli(?);
         root z[0, 1] * z[1, 0];",
    );
    let blocks = layout::layout(&circuit);
    assert_eq!(
        (&*blocks[0].name, &*blocks[0].shape),
        ("z.x.p", &[2, 2][..])
    );
    let bytes = to_bytes(&document, &circuit, &circuit.start_values()).unwrap();
    assert!(loaded(&bytes).is_ok());
}

#[test]
fn names_stay_apart() {
    let (_, circuit) = read(
        "var x, y, z : bool;
         param `a.log`, a : simplex(2) = ?;
         param `state/b` : unit = ?;
         root (a[0]: x + a[1]: !x) * (`a.log`[0]: y + `a.log`[1]: !y) * z ~ bernoulli(`state/b`);",
    );
    let blocks = layout::layout(&circuit);
    let names: Vec<_> = blocks.iter().map(|block| &*block.name).collect();
    assert_eq!(names, ["a.log", "a_2", "_state/b"]);
}

#[test]
fn logarithms_are_kept_as_such() {
    let text = "var x : bool; root ?exp(-1000): x + ?1: !x;";
    let (document, circuit) = read(text);
    let values = circuit.start_values();
    assert_eq!(values[0], ParameterValue::Log(-1000.0));
    let bytes = to_bytes(&document, &circuit, &values).unwrap();
    assert_eq!(
        loaded(&bytes).unwrap().checked.circuit().start_values(),
        values
    );
}

#[test]
fn what_the_writer_adds_comes_back() {
    let (mut document, circuit) = read(MIXTURE);
    document
        .extra
        .insert("report".into(), "{\"epochs\": []}".into());
    document
        .state
        .insert("seed".into(), StateTensor::integers(vec![u64::MAX, 0]));
    document.state.insert(
        "sums/a".into(),
        StateTensor::reals(vec![f64::NAN.abs(), -0.0]),
    );
    document
        .state
        .insert("none".into(), StateTensor::reals(vec![]));
    let values = circuit.start_values();
    let bytes = to_bytes(&document, &circuit, &values).unwrap();
    assert_eq!(bytes, to_bytes(&document, &circuit, &values).unwrap());
    let back = loaded(&bytes).unwrap();
    assert_eq!(back.document.extra, document.extra);
    // NaN is not equal to itself, its text is.
    assert_eq!(format!("{:?}", back.document), format!("{document:?}"));
}

#[test]
fn everything_learned_is_remembered() {
    let (mut document, circuit) = read("var x : bool; root 0.25: x + 0.75: !x;");
    document.learn_all = true;
    let circuit = circuit.learn_all();
    let values = [0.125, 0.875].map(ParameterValue::Linear);
    let bytes = to_bytes(&document, &circuit, &values).unwrap();
    let back = loaded(&bytes).unwrap();
    assert_eq!(back.checked.circuit().start_values(), values);
    assert!(
        back.checked
            .circuit()
            .all_entries()
            .iter()
            .all(|entry| entry.learned)
    );
}

#[test]
fn faults_are_named() {
    let bytes = bytes_of(MIXTURE);
    let n = bytes.len();
    assert_eq!(
        fault(&bytes[..n - 1]),
        "it is cut short: the last byte is missing"
    );
    assert_eq!(fault(&bytes[..3]), "it is cut short: 5 bytes are missing");
    assert!(fault(b"var x : bool;").starts_with("it is no model file: its first bytes"));
    let longer = [&bytes[..], b"!"].concat();
    assert_eq!(
        fault(&longer),
        "it is damaged: 1 bytes follow its last tensor"
    );
    for (old, new, message) in [
        (
            "\"format\":\"pelton\"",
            "\"format\":\"python\"",
            "tensors of another program",
        ),
        (
            "\"version\":\"1\"",
            "\"version\":\"7\"",
            "it has version 7 of the format, and this program reads version 1",
        ),
        ("const K = 2", "const K = 3", "belong to another circuit"),
        ("root sum k", "root sun k", "the circuit in it is wrong"),
        (
            "\"mu\":",
            "\"nu\":",
            "the circuit has no parameter for tensor `nu`",
        ),
        (
            "\"shape\":[2,3]",
            "\"shape\":[3,2]",
            "tensor `comp.species.p` has shape [3, 2], and [2, 3] is needed",
        ),
        (
            "\"comp.species.p\":{\"dtype\":\"F64\"",
            "\"comp.species.p\":{\"dtype\":\"I64\"",
            "tensor `comp.species.p` holds I64, and F64 is needed",
        ),
        (
            "\"smooth\":\"false\"",
            "\"smooth\":\"maybe\"",
            "`smooth` in its metadata cannot be read",
        ),
        (
            "\"defines\":\"[]\"",
            "\"defunct\":\"[]\"",
            "`defines` is missing in its metadata",
        ),
    ] {
        let found = fault(&edited(&bytes, old, new));
        assert!(found.contains(message), "{found}\nshould say {message}");
    }
}

#[test]
fn values_are_checked() {
    let (document, circuit) = read(
        "var x : bool; var r : real; root 0.5: x * r ~ normal(?, ?) + 0.5: !x * r ~ normal(?, 1);",
    );
    let good = circuit.start_values();
    let positive = circuit
        .parameters()
        .iter()
        .position(|p| p.kind.name() == "positive")
        .unwrap();
    for (at, value, message) in [
        (
            0,
            f64::NAN,
            "of `root.r.mean`, NaN is no value of a real parameter",
        ),
        (0, f64::INFINITY, "inf is no value of a real parameter"),
        (
            positive,
            0.0,
            "of `root.r.sd`, 0 is no value of a positive parameter",
        ),
    ] {
        let mut values = good.clone();
        values[at] = ParameterValue::Linear(value);
        let error = to_bytes(&document, &circuit, &values).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    assert!(to_bytes(&document, &circuit, &good[1..]).is_err());
    // The same is found in a file that another program changed.
    let bytes = to_bytes(&document, &circuit, &good).unwrap();
    let mut changed = bytes.clone();
    let one = changed
        .windows(8)
        .rposition(|part| part == 1f64.to_le_bytes())
        .unwrap();
    changed[one..one + 8].copy_from_slice(&(-1f64).to_le_bytes());
    assert!(
        fault(&changed).contains("-1 is no value of a positive parameter"),
        "{}",
        fault(&changed)
    );
}

#[test]
fn probabilities_must_add_up_and_fixed_ones_stay() {
    let bytes =
        bytes_of("var x : 0..3; param w : simplex(3) = [0.5, ?, ?]; root x ~ categorical(w);");
    let change = |numbers: [f64; 3]| {
        let mut changed = bytes.clone();
        let n = changed.len();
        for (at, number) in numbers.iter().enumerate() {
            changed[n - 24 + at * 8..n - 16 + at * 8].copy_from_slice(&number.to_le_bytes());
        }
        changed
    };
    assert!(fault(&change([0.5, 0.2, 0.2])).contains("of `w`, the values add up to 0.9, not to 1"));
    let other = fault(&change([0.4, 0.3, 0.3]));
    assert_eq!(
        other,
        "it is damaged: `w` is 0.4 in its tensor and 0.5 in its text"
    );
    let back = loaded(&change([0.5, 0.125, 0.375])).unwrap();
    let values = [0.5, 0.125, 0.375].map(ParameterValue::Linear);
    assert_eq!(back.checked.circuit().start_values(), values);
}

#[test]
fn a_failed_write_leaves_the_old_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pelton");
    std::fs::write(&path, "old").unwrap();
    let result = write_atomically(&path, |out| {
        out.write_all(&[b'x'; 100_000])?;
        Err(std::io::ErrorKind::StorageFull.into())
    });
    assert_eq!(result.unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    let (document, circuit) = read(MIXTURE);
    let bad = vec![ParameterValue::Linear(f64::NAN); circuit.all_entries().len()];
    assert!(save(&path, &document, &circuit, &bad).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    save(&path, &document, &circuit, &circuit.start_values()).unwrap();
    assert!(load(&path).is_ok());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
