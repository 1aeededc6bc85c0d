//! Circuits written back as text with values are the same circuits.

use super::{Read, bits, drawn, examples, random_texts, read};
use pelton_compiler::AnalysisOptions;
use pelton_compiler::circuit::{CircuitGraph, ParamKind, ParameterValue};
use pelton_compiler::emit::{SourceForm, SourceOptions, SourceText, source_with_values};
use pelton_tests::dice::Dice;
use std::path::PathBuf;

fn written(given: &Read, values: &[ParameterValue]) -> Option<SourceText> {
    let options = SourceOptions {
        analysis: &AnalysisOptions::default(),
        finds_uses: true,
    };
    source_with_values(&given.program, &given.checked, values, &options).ok()
}

/// The bits of all values that are in use, in order of the units that use them; of
/// `unit` parameters the probability.
fn used_bits(circuit: &CircuitGraph) -> Vec<(bool, u64)> {
    let values = circuit.start_values();
    let mut used = Vec::new();
    for unit in circuit.units() {
        for weight in circuit.children(unit).filter_map(|child| child.weight) {
            if circuit.parameter(weight.param).kind != ParamKind::Unit || weight.index == 1 {
                used.push(values[circuit.entry_position(weight)]);
            }
        }
    }
    bits(&used)
}

fn assert_written(given: &Read, seed: u64, path: Option<PathBuf>, what: &str) -> SourceForm {
    let mut circuit = given.checked.circuit().clone();
    let values = drawn(&circuit, &mut Dice::new(seed));
    let Some(text) = written(given, &values) else {
        // Only learned weights that several sums share have no words.
        return SourceForm::Flat("inexpressible");
    };
    let again = read(&text.text, path).unwrap_or_else(|| panic!("{what}\n{}", text.text));
    circuit = circuit.with_values(&values);
    if text.form == SourceForm::Author {
        let found = again.checked.circuit();
        assert_eq!(
            used_bits(found),
            used_bits(&circuit),
            "{what}\n{}",
            text.text
        );
    }
    text.form
}

#[test]
fn examples_are_written_as_their_authors_did() {
    for (path, given) in examples() {
        let what = path.display().to_string();
        let form = assert_written(&given, 4, Some(path), &what);
        assert_eq!(form, SourceForm::Author, "{what}");
    }
}

#[test]
fn random_circuits_are_written_in_place() {
    let (mut n_author, mut n_flat) = (0, 0);
    for (seed, text) in random_texts(0..600) {
        let Some(given) = read(&text, None) else {
            continue;
        };
        match assert_written(&given, seed, None, &format!("seed {seed}\n{text}")) {
            SourceForm::Author => n_author += 1,
            SourceForm::Flat(_) => n_flat += 1,
        }
    }
    assert!(n_author > 200 && n_flat == 0, "{n_author} {n_flat}");
}
