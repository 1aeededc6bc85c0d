//! Circuits of other tools: read, counted, written and read again.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "import/distribution.rs"]
mod distribution;
#[path = "import/hostile.rs"]
mod hostile;
#[path = "import/logic.rs"]
mod logic;
#[path = "import/round_trip.rs"]
mod round_trip;
#[path = "import/sdd.rs"]
mod sdd;
#[path = "import/zoo.rs"]
mod zoo;

use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, Property};
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::reference::{assignments, log_likelihood};
use pelton_compiler::{Analysis, AnalysisOptions};
use pelton_formats::analyze;
use std::path::{Path, PathBuf};

/// More assignments than this are not listed.
const MOST: u64 = 1 << 12;

/// The folder with a small file of each format.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("foreign")
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

/// Reads a circuit under a name, with all properties decided.
fn analyzed(name: &str, bytes: impl Into<Vec<u8>>) -> Analysis {
    let input = SourceInput {
        name: name.to_string(),
        path: None,
        bytes: bytes.into(),
    };
    let options = AnalysisOptions {
        decide: Property::ALL.to_vec(),
        ..AnalysisOptions::default()
    };
    analyze(input, &FileLoader, &options)
}

/// A circuit that has to be right.
fn read(name: &str, bytes: impl Into<Vec<u8>>) -> Checked {
    let analysis = analyzed(name, bytes);
    let found = format!("{:?}", analysis.found);
    let checked = analysis.into_checked();
    checked.unwrap_or_else(|| panic!("{name}: {found}"))
}

/// The probabilities of all assignments, in order.
fn table(circuit: &CircuitGraph) -> Vec<f64> {
    let values = circuit.start_values();
    let all = assignments(circuit, MOST).expect("the circuit is small");
    all.map(|row| log_likelihood(circuit, &values, &row).exp())
        .collect()
}

/// Whether two circuits agree on every assignment.
fn assert_same(a: &CircuitGraph, b: &CircuitGraph, what: &str) {
    let (a, b) = (table(a), table(b));
    assert_eq!(a.len(), b.len(), "{what}");
    for (at, (p, q)) in a.iter().zip(&b).enumerate() {
        let is_near = (p - q).abs() <= 1e-12 * p.abs().max(1e-3);
        assert!(is_near, "{what}: assignment {at} has {p} and {q}");
    }
}
