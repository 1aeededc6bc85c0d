//! Circuits written as text.

use pelton_compiler::AnalysisOptions;
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::load::{Loader, SourceInput};
use pelton_formats::analyze;
use std::path::Path;

/// No file exists beside the text that is given.
pub struct NoFiles;

impl Loader for NoFiles {
    fn load(&self, _: &Path) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

/// The circuit that a text describes.
///
/// # Panics
/// If the text has errors.
pub fn circuit(text: &str) -> CircuitGraph {
    let input = SourceInput {
        name: "test.pcirc".to_string(),
        path: None,
        bytes: text.as_bytes().to_vec(),
    };
    let analysis = analyze(input, &NoFiles, &AnalysisOptions::default());
    let messages: Vec<&str> = analysis.found.iter().map(|d| d.message.as_str()).collect();
    assert!(!analysis.found.has_errors(), "{messages:?} in {text}");
    analysis
        .circuit
        .expect("a text without errors is a circuit")
}

/// The position of the first entry of a declared parameter.
///
/// # Panics
/// If there is none of that name.
pub fn entry(circuit: &CircuitGraph, name: &str) -> usize {
    let is_it = |shown: Option<String>| shown.as_deref() == Some(name);
    let names = circuit.names();
    let found = circuit
        .parameters()
        .iter()
        .find(|parameter| is_it(parameter.name.map(|id| names.show(id))));
    let parameter = found.unwrap_or_else(|| panic!("no parameter is called {name}"));
    parameter.entries().start
}
