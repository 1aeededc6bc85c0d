//! The fuzz body of networks and formulas of other tools.

use super::Outcomes;
use super::front::{
    analyzed, messages_can_be_shown, places_are_in_the_text, written_circuits_read_back,
};
use pelton_compiler::check::PropertyVerdict;
use pelton_compiler::circuit::Property;

/// Reads `bytes` as a file of this name. What is read without an error can be written as
/// source text and read again; what is compiled, and not only copied, keeps its promises.
pub fn networks(name: &str, bytes: &[u8], outcomes: &mut Outcomes) {
    let analysis = analyzed(name, bytes);
    places_are_in_the_text(&analysis);
    messages_can_be_shown(&analysis.found, &analysis.program.sources);
    match (&analysis.circuit, analysis.found.has_errors()) {
        (None, _) => {
            assert!(analysis.found.has_errors(), "no circuit and no error");
            outcomes.not_lowered += 1;
        }
        (Some(_), true) => {
            assert!(!is_compiled(bytes), "a compiled network is wrong");
            outcomes.wrong += 1;
        }
        (Some(circuit), false) => {
            if is_compiled(bytes) {
                let facts = analysis.facts.as_ref().expect("a circuit was checked");
                assert!(facts.is_proven(Property::Smooth));
                assert!(facts.is_proven(Property::Decomposable));
                let verdict = facts.verdict(Property::Deterministic);
                let is_refuted = matches!(verdict, Some(PropertyVerdict::Refuted(_)));
                assert!(!is_refuted, "{verdict:?}");
            }
            outcomes.right += 1;
            written_circuits_read_back(circuit);
        }
    }
}

/// Whether these are tables or clauses, of which a circuit is made here.
fn is_compiled(bytes: &[u8]) -> bool {
    let starts = ["BAYES", "MARKOV", "network", "p cnf", "p dnf"];
    starts
        .iter()
        .any(|start| bytes.starts_with(start.as_bytes()))
}
