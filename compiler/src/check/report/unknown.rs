//! The message on a property that was neither proven nor refuted.

use crate::check::demand::Demand;
use crate::check::inspection::Inspection;
use crate::circuit::Circuit;
use pelton_grammar::diagnostic::{Code, Diagnostic, Severity};

/// Says that an asserted property could not be decided, and why: a warning,
/// and an error under `--strict`.
pub(in crate::check) fn unknown(
    inspection: &Inspection,
    demand: &Demand,
    reason: &str,
) -> Diagnostic {
    let circuit = inspection.circuit;
    let property = demand.property.name();
    let sentence = format!(
        "cannot decide whether {} is {property}: {reason}",
        target(circuit, demand)
    );
    let message = match demand.span {
        Some(span) => Diagnostic::new(Code::PropertyUnknown, span, sentence).at("asserted here"),
        None => demand.explain(Diagnostic::without_place(Code::PropertyUnknown, sentence)),
    };
    match inspection.options.strict {
        true => message.severity(Severity::Error),
        false => message,
    }
}

fn target(circuit: &Circuit, demand: &Demand) -> String {
    match demand.target == circuit.root() {
        true => "the root".to_string(),
        false => circuit.describe(demand.target),
    }
}
