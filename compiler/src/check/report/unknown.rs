//! The message on a property that was neither proven nor refuted.

use crate::check::demand::RequiredProperty;
use crate::check::inspection::Inspection;
use crate::circuit::CircuitGraph;
use pelton_grammar::diagnostic::{Code, Severity, SourceDiagnostic};

/// Says that an asserted property could not be decided, and why: a warning,
/// and an error under `--strict`.
pub(in crate::check) fn unknown(
    inspection: &Inspection,
    demand: &RequiredProperty,
    reason: &str,
) -> SourceDiagnostic {
    let circuit = inspection.circuit;
    let property = demand.property.name();
    let sentence = format!(
        "cannot decide whether {} is {property}: {reason}",
        target(circuit, demand)
    );
    let message = match demand.span {
        Some(span) => {
            SourceDiagnostic::new(Code::PropertyUnknown, span, sentence).at("asserted here")
        }
        None => demand.explain(SourceDiagnostic::without_place(
            Code::PropertyUnknown,
            sentence,
        )),
    };
    if inspection.options.strict {
        message.severity(Severity::Error)
    } else {
        message
    }
}

fn target(circuit: &CircuitGraph, demand: &RequiredProperty) -> String {
    if demand.target == circuit.root() {
        "the root".to_string()
    } else {
        circuit.describe(demand.target)
    }
}
