//! Regions: boxes whose masses can be added.

use super::Gap;
use super::answer::boxes_of;
use super::boxes::Box;
use super::evidence::{Evidence, Known, row_log};
use pelton_compiler::circuit::{Circuit, Event, Value, ValueSet, VarId};
use pelton_compiler::reference::RowLog;

/// Boxes that do not overlap and give the same real variables exact values.
pub(super) struct Region {
    pub parts: Vec<Box>,
    /// The variables with exact values: the mass is a density with respect to them.
    pub points: Vec<VarId>,
}

impl Region {
    /// The boxes that count: those with more exact values than others have no
    /// mass beside them.
    ///
    /// Real variables with exact values have one in each box.
    pub fn of(circuit: &Circuit, parts: Vec<Box>) -> Result<Region, Gap> {
        let with_points = parts.into_iter().map(|part| (points(circuit, &part), part));
        let mut with_points: Vec<(Vec<VarId>, Box)> = with_points.collect();
        let fewest = with_points.iter().map(|(points, _)| points.len()).min();
        with_points.retain(|(points, _)| Some(points.len()) == fewest);
        let (all_points, parts): (Vec<_>, Vec<_>) = with_points.into_iter().unzip();
        let points = all_points.first().cloned().unwrap_or_default();
        match all_points.iter().all(|other| *other == points) {
            true => Ok(Region { parts, points }),
            false => Err(Gap::MixedDensities),
        }
    }

    /// The logarithm of the probability, or of the density at exact values.
    pub fn log_mass(&self, circuit: &Circuit, values: &[Value]) -> RowLog {
        let parts = self.parts.iter();
        let logs = parts.map(|part| row_log(circuit, values, &evidence(circuit, part)));
        RowLog::sum(logs.collect::<Vec<_>>())
    }
}

/// The boxes of what is given that count; they do not overlap and can be mixed by mass.
pub fn given_boxes(circuit: &Circuit, given: &Event) -> Result<Vec<Box>, Gap> {
    Ok(Region::of(circuit, boxes_of(circuit, given)?)?.parts)
}

/// What is given, as parts that exclude each other and can be mixed by mass.
pub fn given_parts(circuit: &Circuit, given: &Event) -> Result<Vec<Evidence>, Gap> {
    let boxes = given_boxes(circuit, given)?;
    Ok(boxes.iter().map(|part| evidence(circuit, part)).collect())
}

/// The real variables to which a box gives an exact value, ascending.
pub(super) fn points(circuit: &Circuit, part: &Box) -> Vec<VarId> {
    let exact = part
        .iter()
        .filter(|(variable, set)| point_of(circuit, **variable, set).is_some());
    exact.map(|(&variable, _)| variable).collect()
}

/// What a box knows.
pub(super) fn evidence(circuit: &Circuit, part: &Box) -> Evidence {
    let mut evidence = Evidence::none(circuit);
    for (&variable, set) in part {
        let known = match point_of(circuit, variable, set) {
            Some(x) => Known::Point(x),
            None => Known::In(set.clone()),
        };
        evidence.set(variable, known);
    }
    evidence
}

/// The single real value of a set, if it is one: its probability would be 0.
pub(super) fn point_of(circuit: &Circuit, variable: VarId, set: &ValueSet) -> Option<f64> {
    let is_real = !circuit.variable(variable).domain.is_discrete();
    match set.runs() {
        [(low, high)] if is_real && low.value() == high.value() => Some(low.value()),
        _ => None,
    }
}
