//! Reading texts of other tools, and writing them as source text again.

use pelton_compiler::circuit::{CircuitGraph, Property};
use pelton_compiler::load::SourceInput;
use pelton_compiler::reference::{assignments, log_likelihood};
use pelton_compiler::{Analysis, AnalysisOptions};
use pelton_formats::analyze;
use pelton_tests::text::NoFiles;

/// What is known about a text of another tool.
pub fn analyzed(name: &str, text: &str, options: &AnalysisOptions) -> Analysis {
    let input = SourceInput {
        name: name.to_string(),
        path: None,
        bytes: text.as_bytes().to_vec(),
    };
    analyze(input, &NoFiles, options)
}

/// The circuit of a text, which has these properties.
pub fn circuit(name: &str, text: &str, properties: &[Property]) -> CircuitGraph {
    let options = AnalysisOptions {
        decide: properties.to_vec(),
        ..AnalysisOptions::default()
    };
    let analysis = analyzed(name, text, &options);
    let messages: Vec<&str> = analysis.found.iter().map(|d| d.message.as_str()).collect();
    assert!(!analysis.found.has_errors(), "{messages:?} in {text}");
    let facts = analysis
        .facts
        .expect("a circuit without errors was checked");
    for &property in properties {
        let verdict = facts.verdict(property);
        assert!(
            facts.is_proven(property),
            "{property:?}: {verdict:?} in {text}"
        );
    }
    let circuit = analysis
        .circuit
        .expect("a text without errors is a circuit");
    written_again_is_the_same(&circuit);
    circuit
}

/// The notes on a text.
pub fn notes(name: &str, text: &str) -> Vec<String> {
    let analysis = analyzed(name, text, &AnalysisOptions::default());
    let found = analysis.found.iter();
    found.map(|message| message.message.clone()).collect()
}

/// The error on a text that cannot be read.
pub fn error(name: &str, text: &str) -> String {
    let analysis = analyzed(name, text, &AnalysisOptions::default());
    assert!(analysis.found.has_errors(), "{text} should be refused");
    notes(name, text).remove(0)
}

/// The value of the root for an assignment.
pub fn value(circuit: &CircuitGraph, assignment: &[f64]) -> f64 {
    log_likelihood(circuit, &circuit.start_values(), assignment).exp()
}

/// The mass of the circuit: its value when everything is missing.
pub fn mass(circuit: &CircuitGraph) -> f64 {
    value(circuit, &vec![f64::NAN; circuit.variables().len()])
}

/// Numbers that are the same up to rounding.
pub fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-9)
}

fn written_again_is_the_same(circuit: &CircuitGraph) {
    let mut text = String::new();
    pelton_compiler::emit::circuit(circuit, &mut text).expect("what was read can be written");
    let again = pelton_tests::text::circuit(&text);
    let names = |circuit: &CircuitGraph| -> Vec<String> {
        circuit.variables().iter().map(|v| v.name.clone()).collect()
    };
    assert_eq!(names(circuit), names(&again));
    let domains = |circuit: &CircuitGraph| -> Vec<String> {
        circuit
            .variables()
            .iter()
            .map(|v| v.domain.to_string())
            .collect()
    };
    assert_eq!(domains(circuit), domains(&again));
    for assignment in assignments(circuit, 2000).into_iter().flatten() {
        let (old, new) = (value(circuit, &assignment), value(&again, &assignment));
        assert!(is_close(old, new), "{old} became {new} in {text}");
    }
}
