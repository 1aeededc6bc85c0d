//! Which units are positive, whatever learning may do.

use super::leaf_log::is_in_support;
use crate::circuit::{CircuitGraph, UnitId, UnitKind};
use crate::leaf::support;

/// Whether each unit's support holds `assignment`, by unit index, up to and
/// including `last`.
///
/// Edges with a fixed zero weight carry nothing; learned weights count as
/// positive. A missing variable (NaN) may have any value.
pub fn positive(circuit: &CircuitGraph, last: UnitId, assignment: &[f64]) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(last.index() + 1);
    for unit in circuit.units().take(last.index() + 1) {
        let is_positive = match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let leaf = circuit.leaf(leaf);
                let x = assignment[leaf.variable.index()];
                if x.is_nan() {
                    !support(circuit, leaf).is_empty()
                } else {
                    is_in_support(circuit, leaf, x)
                }
            }
            UnitKind::Product => circuit.children(unit).all(|c| found[c.unit.index()]),
            UnitKind::Sum => circuit.children(unit).any(|child| {
                let weight = child.weight.expect("a sum's children have weights");
                found[child.unit.index()] && !circuit.entry(weight).is_fixed_zero()
            }),
        };
        found.push(is_positive);
    }
    found
}
