//! What is given, as boxes whose masses can be added.

use super::Gap;
use pelton_compiler::circuit::{Circuit, Event, Value, mentioned};
use pelton_compiler::evidence::{ValueBox, disjoint_boxes};
use pelton_compiler::reference::{Purpose, RowLog, RowLogs};

/// An event as boxes that do not overlap, each real variable with exact values at one.
pub(super) fn boxes_of(circuit: &Circuit, event: &Event) -> Result<Vec<ValueBox>, Gap> {
    let mentioned = mentioned(circuit);
    let mut variables = event.variables();
    if variables.any(|variable| mentioned.binary_search(&variable).is_err()) {
        return Err(Gap::Unmentioned);
    }
    disjoint_boxes(circuit, event).ok_or(Gap::TooManyParts)
}

/// The boxes of what is given that count; they do not overlap and can be mixed by mass.
pub fn given_boxes(circuit: &Circuit, given: &Event) -> Result<Vec<ValueBox>, Gap> {
    comparable(circuit, boxes_of(circuit, given)?)
}

/// The boxes that count, which give the same real variables exact values: those with more
/// exact values than others have no mass beside them.
pub(super) fn comparable(
    circuit: &Circuit,
    mut boxes: Vec<ValueBox>,
) -> Result<Vec<ValueBox>, Gap> {
    let exact = |part: &ValueBox| part.exact_variables(circuit);
    let fewest = boxes.iter().map(|part| exact(part).len()).min();
    boxes.retain(|part| Some(exact(part).len()) == fewest);
    let is_same = boxes
        .windows(2)
        .all(|pair| exact(&pair[0]) == exact(&pair[1]));
    is_same.then_some(boxes).ok_or(Gap::MixedDensities)
}

/// The logarithm of the circuit's mass (or density) in a box, by one pass from the leaves
/// to the root in log space.
///
/// `values` holds a value for each of [`Circuit::all_entries`].
pub fn log_mass(circuit: &Circuit, values: &[Value], part: &ValueBox) -> f64 {
    row_log(circuit, values, part).to_f64()
}

/// The same, to be compared with the masses of other boxes.
pub(super) fn row_log(circuit: &Circuit, values: &[Value], part: &ValueBox) -> RowLog {
    RowLogs::of(circuit, values, &part.cells(circuit), Purpose::Value).root()
}
