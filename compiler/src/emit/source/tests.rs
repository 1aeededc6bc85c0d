//! Texts with values are the author's, and the circuits they were written from.

use super::super::token::ShortestNumber;
use super::*;
use crate::analyze;
use crate::load::{FileLoader, SourceInput};
use std::path::{Path, PathBuf};

fn analyzed(
    text: &str,
    path: Option<PathBuf>,
    options: &AnalysisOptions,
) -> (SourceProgram, Checked) {
    let input = SourceInput {
        name: "a.pcirc".into(),
        path,
        bytes: text.as_bytes().to_vec(),
    };
    let (program, found, checked) = analyze(input, &FileLoader, options).into_parts();
    let checked = checked.unwrap_or_else(|| panic!("{found:?}\n{text}"));
    (program, checked)
}

/// Values that all differ: entry `n` of a vector gets a share of `n + 1` and a bit more.
fn values(circuit: &CircuitGraph) -> Vec<ParameterValue> {
    let mut values = Vec::new();
    for (at, parameter) in circuit.parameters().iter().enumerate() {
        let entries = &circuit.all_entries()[parameter.entries()];
        let given = entries.iter().filter_map(ParameterEntry::fixed_value);
        let given: f64 = given.map(ParameterValue::linear).sum();
        let share = |n: usize| 1.0 + n as f64 + (at % 7) as f64 / 8.0;
        let learned = |(_, entry): &(usize, &ParameterEntry)| entry.learned;
        let total: f64 = entries
            .iter()
            .enumerate()
            .filter(learned)
            .map(|(n, _)| share(n))
            .sum();
        let adds_up = parameter.kind.adds_up();
        values.extend(
            entries
                .iter()
                .enumerate()
                .map(|(n, entry)| match entry.fixed_value() {
                    Some(value) => value,
                    None if adds_up => ParameterValue::Linear((1.0 - given) * share(n) / total),
                    None => ParameterValue::Linear(at as f64 + 0.5),
                }),
        );
    }
    values
}

fn written(text: &str) -> SourceText {
    let analysis = &AnalysisOptions::default();
    let (program, checked) = analyzed(text, None, analysis);
    let options = SourceOptions {
        analysis,
        finds_uses: true,
    };
    source_with_values(&program, &checked, &values(checked.circuit()), &options).unwrap()
}

/// The text with numbers cut to three digits, so that expectations can be read.
fn author(text: &str) -> String {
    let written = written(text);
    assert_eq!(written.form, SourceForm::Author, "{}", written.text);
    shortened(&written.text)
}

fn shortened(text: &str) -> String {
    let mut short = String::new();
    let mut digits = 0;
    for c in text.chars() {
        digits = match (c, digits) {
            ('.', 0) => 1,
            ('0'..='9', 1..) => digits + 1,
            _ => 0,
        };
        if digits <= 4 {
            short.push(c);
        }
    }
    short
}

#[test]
fn declared_parameters_get_lists() {
    let text = "// a comment\nvar x : 0..3; var y : bool; var r : real;
param a : simplex(3)   = ?; /* kept */ param b[1..3] : unit;
@allow(unused_parameter)
param c, d[0..2] : positive = ?2;
param e : simplex(3) = [0.5, ?, ?];
param f : real = 3;
root x ~ categorical(a) * y ~ bernoulli(b[2]) * r ~ normal(f, c);
";
    let expected = "// a comment\nvar x : 0..3; var y : bool; var r : real;
param a : simplex(3)   = ?[0.166, 0.333, 0.5]; /* kept */ param b[1..3] : unit = ?[
    0.653, 0.642
];
@allow(unused_parameter)
param c : positive = ?3.5;
@allow(unused_parameter) param d[0..2] : positive = ?[4.5, 5.5];
param e : simplex(3) = [0.5, ?0.211, ?0.288];
param f : real = 3;
root x ~ categorical(a) * y ~ bernoulli(b[2]) * r ~ normal(f, c);
";
    assert_eq!(author(text), expected);
}

#[test]
fn a_question_mark_of_one_parameter_gets_its_value() {
    let text = "var x : 0..3; var y : bool; var r : real;
def coin(p) = y ~ bernoulli(p);
root ?: x ~ categorical(?) * coin(?) * r ~ normal(?, ?2)
   + 0.25: x ~ categorical(0.5, ?, ?0.1) * (?0.5: y + ?: !y) * r ~ normal(-1, 2);
";
    let expected = "var x : 0..3; var y : bool; var r : real;
def coin(p) = y ~ bernoulli(p);
root ?0.75: x ~ categorical(?[0.166, 0.333, 0.5]) * coin(?0.653) * r ~ normal(?2.5, ?3.5)
   + 0.25: x ~ categorical(0.5, ?0.208, ?0.291) * (?0.333: y + ?0.666: !y) * r ~ normal(-1, 2);
";
    assert_eq!(author(text), expected);
}

#[test]
fn a_question_mark_of_several_becomes_an_array() {
    let text = "const K = 2;
var sky : {clear, storm}; var x[1..3] : bool;
/// One of two.
node comp[k in 0..K] = sky ~ categorical(?) * (prod i in 1..3 { x[i] ~ bernoulli(?) });
root sum k in 0..K { ?: comp[k] };
";
    let expected = "const K = 2;
var sky : {clear, storm}; var x[1..3] : bool;
param comp_sky[0..2] : simplex(2) = ?[
    [0.333, 0.666],
    [0.366, 0.633]
];
param comp_x[0..2, 1..3] : unit = ?[
    [0.653, 0.642],
    [0.625, 0.617]
];
/// One of two.
node comp[k in 0..K] = sky ~ categorical(comp_sky[k]) * (prod i in 1..3 { x[i] ~ bernoulli(comp_x[k, i]) });
param root_weights : simplex(2) = ?[0.388, 0.611];
root sum k in 0..K { root_weights[k]: comp[k] };
";
    assert_eq!(author(text), expected);
}

#[test]
fn weights_of_families_become_arrays_with_formulas() {
    let text = "const T = 3;
var x[0..T] : 1..4;
node z[t in 0..T] =
    ?: [x[t] = 1] * next(t) + sum v in 2..4 { ?0.2: [x[t] = v] * next(t) };
def next(t) = prod s in t + 1..t + 2 where s < T { z[s] };
root z[0];
";
    let found = author(text);
    assert!(
        found.contains("param z_weights[0..3] : simplex(3) = ?["),
        "{found}"
    );
    assert!(found.contains("z_weights[t, 0]: [x[t] = 1]"), "{found}");
    assert!(
        found.contains("{ z_weights[t, v - 1]: [x[t] = v]"),
        "{found}"
    );
}

#[test]
fn long_lists_are_broken_into_lines() {
    let found = author(
        "const K = 24;\nvar x : 0..K; var y : bool;
param w : simplex(K) = ?;\nparam v[0..2] : simplex(2) = ?;
root x ~ categorical(w) * (0.5: (v[0, 0]: y + v[0, 1]: !y) + 0.5: (v[1, 0]: y + v[1, 1]: !y));\n",
    );
    let line = "param w : simplex(K) = ?[\n    0.00";
    assert!(found.contains(line), "{found}");
    assert!(
        found.contains("\n];\nparam v[0..2] : simplex(2) = ?[\n    [0.346, 0.653],\n"),
        "{found}"
    );
    let written = written("var x : 0..24;\nroot x ~ categorical(?);");
    assert!(
        written.text.lines().all(|line| line.len() <= 100),
        "{}",
        written.text
    );
}

#[test]
fn what_no_index_tells_apart_is_written_flat() {
    for text in [
        // One `?` of a definition that is called twice.
        "var x, y : bool; def coin(v) = v ~ bernoulli(?); root coin(x) * coin(y);",
        // One `?` that is used twice.
        "var x, y : bool; def pair(p) = x ~ bernoulli(p) * y ~ bernoulli(p); root pair(?);",
        // Indices that fill no box.
        "var x[0..2] : bool; node z[i in 0..2, j in 0..2 where i + j == 1] = x[i] ~ bernoulli(?);
         root z[0, 1] * z[1, 0];",
        "const A = [-9223372036854775807, 9223372036854775807];
         def one(i, p) = if i < 0 { x ~ bernoulli(p) } else { y ~ bernoulli(p) };
         var x, y : bool; root prod i in A { one(i, ?) };",
        "var x[0..3] : bool; root prod i in 0..3 where i != 1 { x[i] ~ bernoulli(?) } * x[1];",
    ] {
        let written = written(text);
        assert_eq!(
            written.form,
            SourceForm::Flat(reason(&written)),
            "{}",
            written.text
        );
        let (_, again) = analyzed(&written.text, None, &AnalysisOptions::default());
        let (_, checked) = analyzed(text, None, &AnalysisOptions::default());
        let sorted = |circuit: &CircuitGraph| {
            let values = circuit
                .start_values()
                .into_iter()
                .map(ParameterValue::linear);
            let mut values: Vec<f64> = values.collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let expected = checked.circuit().clone();
        let expected = expected.with_values(&values(checked.circuit()));
        // What is left to 1 is computed from the probability that is written.
        let found = sorted(again.circuit());
        let mut pairs = found.iter().zip(sorted(&expected));
        assert!(
            pairs.all(|(a, b)| (a - b).abs() < 1e-15),
            "{}",
            written.text
        );
    }
}

fn reason(written: &SourceText) -> &'static str {
    match written.form {
        SourceForm::Flat(reason) => reason,
        SourceForm::Author => "this should be flat",
    }
}

#[test]
fn settings_from_outside_are_written_down() {
    let mut analysis = AnalysisOptions::default();
    analysis.lower.defines = vec![("K".into(), "2".into()), ("K".into(), "4".into())];
    analysis.smooth = true;
    let text = "const K = 3;\nvar x : 0..K;\nvar y : bool;\nparam w : simplex(K) = ?;
root 0.5: x ~ categorical(w) * y + 0.5: x ~ categorical(w);\n";
    let (program, checked) = analyzed(text, None, &analysis);
    let options = SourceOptions {
        analysis: &analysis,
        finds_uses: true,
    };
    let values = values(checked.circuit());
    let written = source_with_values(&program, &checked, &values, &options).unwrap();
    assert_eq!(written.form, SourceForm::Author);
    assert!(
        written.text.starts_with("const K = 4;\n"),
        "{}",
        written.text
    );
    assert!(written.text.contains("\n@smooth\nroot"), "{}", written.text);
}

#[test]
fn everything_learned_is_written_flat() {
    let analysis = &AnalysisOptions::default();
    let text = "var x, y : bool; root (0.5: x + 0.5: !x) * (0.5: y + 0.5: !y);";
    let (program, checked) = analyzed(text, None, analysis);
    let checked = checked.learn_all();
    let options = SourceOptions {
        analysis,
        finds_uses: true,
    };
    let values = [0.25, 0.75, 0.125, 0.875].map(ParameterValue::Linear);
    let written = source_with_values(&program, &checked, &values, &options).unwrap();
    assert!(matches!(written.form, SourceForm::Flat(_)));
    for value in values {
        let number = format!("?{}", ShortestNumber(value.linear()));
        assert!(written.text.contains(&number), "{}", written.text);
    }
}

#[test]
fn the_examples_keep_their_texts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for name in ["hclt", "hmm", "penguins", "sensors", "sprinkler", "weather"] {
        let path = folder.join(name).with_extension("pcirc");
        let text = std::fs::read_to_string(&path).unwrap();
        let analysis = &AnalysisOptions::default();
        let (program, checked) = analyzed(&text, Some(path), analysis);
        let options = SourceOptions {
            analysis,
            finds_uses: true,
        };
        let values = values(checked.circuit());
        let written = source_with_values(&program, &checked, &values, &options).unwrap();
        assert_eq!(written.form, SourceForm::Author, "{name}");
        assert!(written.text.lines().count() >= text.lines().count());
    }
}
