//! What is given, as boxes whose masses can be added.

use super::QueryFailure;
use pelton_compiler::circuit::{CircuitGraph, Event, ParameterValue, mentioned};
use pelton_compiler::evidence::{ValueBox, disjoint_boxes};
use pelton_compiler::reference::{EvaluationPurpose, RowLog, RowLogs};

/// An event as boxes that do not overlap, each real variable with exact values at one.
pub(super) fn boxes_of(
    circuit: &CircuitGraph,
    event: &Event,
) -> Result<Vec<ValueBox>, QueryFailure> {
    let mentioned = mentioned(circuit);
    let mut variables = event.variables();
    if variables.any(|variable| mentioned.binary_search(&variable).is_err()) {
        return Err(QueryFailure::Unmentioned);
    }
    disjoint_boxes(circuit, event).ok_or(QueryFailure::TooManyParts)
}

/// The boxes of what is given that count; they do not overlap and can be mixed by mass.
pub fn given_boxes(circuit: &CircuitGraph, given: &Event) -> Result<Vec<ValueBox>, QueryFailure> {
    comparable(circuit, boxes_of(circuit, given)?)
}

/// The boxes that count, which give the same real variables exact values: those with more
/// exact values than others have no mass beside them.
pub(super) fn comparable(
    circuit: &CircuitGraph,
    mut boxes: Vec<ValueBox>,
) -> Result<Vec<ValueBox>, QueryFailure> {
    let exact = |part: &ValueBox| part.exact_variables(circuit);
    let fewest = boxes.iter().map(|part| exact(part).len()).min();
    boxes.retain(|part| Some(exact(part).len()) == fewest);
    let mut pairs = boxes.windows(2);
    let is_same = pairs.all(|pair| exact(&pair[0]) == exact(&pair[1]));
    is_same.then_some(boxes).ok_or(QueryFailure::MixedDensities)
}

/// The logarithm of the circuit's mass (or density) in a box, by one pass from the leaves
/// to the root in log space.
///
/// `values` holds a value for each of [`CircuitGraph::all_entries`].
pub fn log_mass(circuit: &CircuitGraph, values: &[ParameterValue], part: &ValueBox) -> f64 {
    row_log(circuit, values, part).to_f64()
}

/// The same, to be compared with the masses of other boxes.
pub(super) fn row_log(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    part: &ValueBox,
) -> RowLog {
    let (cells, purpose) = (part.cells(circuit), EvaluationPurpose::Value);
    RowLogs::of(circuit, values, &cells, purpose).root()
}
