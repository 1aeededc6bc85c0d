//! Every message as users see it, and whether what it says is true.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use pelton_compiler::AnalysisOptions;
use pelton_compiler::circuit::{CircuitGraph, Domain};
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::reference::positive;
use pelton_formats::analyze;
use pelton_grammar::diagnostic::Code;
use pelton_tests::case::Case;
use pelton_tests::command::{Pelton, field};
use pelton_tests::repair::repairs;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const PELTON: Pelton = Pelton {
    path: env!("CARGO_BIN_EXE_pelton"),
};

fn cases() -> Vec<Case> {
    Case::all(Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/cases"
    )))
}

/// `BLESS=1 cargo test -p pelton --test cases` rewrites the expectations.
#[test]
fn messages_are_as_expected() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut faults = Vec::new();
    for case in cases() {
        let run = case.run(PELTON);
        let said = format!("{}{}", run.stderr, run.stdout);
        if run.exit != Some(case.exit) {
            faults.push(format!("{} exits with {:?}", case.name(), run.exit));
        }
        if bless {
            std::fs::write(case.expectation(), &said).unwrap();
        }
        let expected = std::fs::read_to_string(case.expectation()).unwrap_or_default();
        if expected != said {
            let name = case.name();
            faults.push(format!("{name}\n--- expected\n{expected}--- found\n{said}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_code_has_a_case() {
    let mut missing: BTreeSet<Code> = Code::ALL.iter().copied().collect();
    for case in cases() {
        for message in PELTON.messages(&case.folder, &case.file, &case.args) {
            missing.remove(&field(&message, "code").parse().unwrap());
        }
    }
    assert!(missing.is_empty(), "no case for {missing:?}");
}

/// Doing what a message suggests ends the message and breaks nothing else.
#[test]
fn suggestions_work() {
    let mut faults = Vec::new();
    for case in cases() {
        let before = PELTON.messages(&case.folder, &case.file, &case.args);
        for message in &before {
            for repair in repairs(message) {
                let folder = copy_of(&case.folder);
                repair.apply(folder.path());
                let after = PELTON.messages(folder.path(), &case.file, &case.args);
                if !is_repaired(message, &before, &after) {
                    faults.push(format!("{}: {}: {after:#?}", case.name(), repair.message));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Whether `message` is gone, and the text can be read as well as before.
fn is_repaired(message: &Value, before: &[Value], after: &[Value]) -> bool {
    let count = |list: &[Value], is: &dyn Fn(&Value) -> bool| list.iter().filter(|m| is(m)).count();
    let is_same =
        |other: &Value| other["code"] == message["code"] && other["message"] == message["message"];
    let is_syntax = |other: &Value| field(other, "code") == Code::Syntax.as_str();
    count(after, &is_same) < count(before, &is_same)
        && count(after, &is_syntax) <= count(before, &is_syntax)
}

/// A copy of a folder of cases that may be changed.
fn copy_of(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let lib = folder.join("lib");
    if lib.is_dir() {
        std::fs::create_dir(copy.path().join("lib")).unwrap();
    }
    for (from, to) in [
        (folder, copy.path().to_path_buf()),
        (&lib, copy.path().join("lib")),
    ] {
        for entry in from.read_dir().into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "pcirc") {
                std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    copy
}

/// Each witness makes two children of the sum at fault positive.
#[test]
fn witnesses_hold() {
    let mut n_confirmed = 0;
    for case in cases() {
        for message in PELTON.messages(&case.folder, &case.file, &case.args) {
            if field(&message, "code") != Code::NotDeterministic.as_str() {
                continue;
            }
            let circuit = circuit_of(&case);
            let assignment = assignment(&circuit, &message["witness"]);
            assert!(overlaps(&circuit, &assignment, &message), "{}", case.name());
            n_confirmed += 1;
        }
    }
    assert!(n_confirmed >= 10, "only {n_confirmed} cases have a witness");
}

fn circuit_of(case: &Case) -> CircuitGraph {
    let path = case.folder.join(&case.file);
    let input = SourceInput {
        name: case.file.clone(),
        path: Some(path),
        bytes: case.bytes.clone(),
    };
    let analysis = analyze(input, &FileLoader, &AnalysisOptions::default());
    analysis.circuit.expect("a refuted circuit was lowered")
}

fn assignment(circuit: &CircuitGraph, witness: &Value) -> Vec<f64> {
    let values = circuit.variables().iter().map(|variable| {
        match (&witness[&variable.name], &variable.domain) {
            (Value::Null, _) => f64::NAN,
            (Value::Bool(value), _) => f64::from(*value),
            (Value::String(name), Domain::Categories(names)) => {
                names.iter().position(|other| other == name).unwrap() as f64
            }
            (number, _) => number.as_f64().unwrap(),
        }
    });
    values.collect()
}

/// Whether a sum at one of the message's places has two positive children.
fn overlaps(circuit: &CircuitGraph, assignment: &[f64], message: &Value) -> bool {
    let is_positive = positive(circuit, circuit.root(), assignment);
    let places = message["spans"].as_array().unwrap();
    let is_shown = |span: pelton_grammar::source::Span| {
        let mut places = places.iter();
        places.any(|place| place["byte_start"] == span.start && place["byte_end"] == span.end)
    };
    circuit.sums().any(|sum| {
        let positive = circuit.children(sum).filter(|child| {
            let weight = child.weight.expect("a sum's children have weights");
            is_positive.get(child.unit.index()) == Some(&true)
                && !circuit.entry(weight).is_fixed_zero()
        });
        is_shown(circuit.span(sum)) && positive.count() >= 2
    })
}
