//! What every unit is worth for a row, with what is common to far cells set apart.

use super::{EvaluationPurpose, EvidenceCell, RowLog, log_leaf, upward};
use crate::circuit::{
    CircuitGraph, Leaf, LeafId, ParameterValue, ReachableUnits, UnitId, UnitKind, VarId,
};
use crate::leaf::{FAR, LongLog, long_log_density};
use std::collections::BTreeMap;

/// The logarithm of every unit's value for one row.
#[derive(Clone, Debug)]
pub struct RowLogs {
    /// By unit index, up to what is common to far cells of the unit's scope: children of a
    /// sum have one scope and can be compared.
    units: Vec<LongLog>,
    /// What is common to all far cells.
    far: LongLog,
    root: UnitId,
}

impl RowLogs {
    /// For a row of cells, one for each variable.
    pub fn of(
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        cells: &[EvidenceCell],
        purpose: EvaluationPurpose,
    ) -> RowLogs {
        let cell = |leaf: &Leaf| &cells[leaf.variable.index()];
        let is_known =
            |leaf: &Leaf| matches!(cell(leaf), EvidenceCell::Value(_) | EvidenceCell::In(_));
        let log = |leaf| long_log_leaf(circuit, values, leaf, cell(leaf), purpose);
        let mut logs: Vec<LongLog> = circuit.leaves().iter().map(log).collect();
        // What all leaves of a far cell have in common is set apart.
        let common = common(circuit, is_known, &logs);
        for (log, leaf) in logs.iter_mut().zip(circuit.leaves()) {
            if let Some(&common) = common.get(&leaf.variable)
                && !log.is_zero()
            {
                *log = *log - common;
            }
        }
        let far = common
            .into_values()
            .fold(LongLog::ONE, |sum, log| sum + log);
        let units = upward(circuit, values, purpose, |leaf: LeafId| logs[leaf.index()]);
        let root = circuit.root();
        RowLogs { units, far, root }
    }

    /// A unit's logarithm, to be compared with those of units of the same scope.
    pub fn unit(&self, unit: UnitId) -> LongLog {
        self.units[unit.index()]
    }

    /// The logarithm of the row's value.
    pub fn root(&self) -> RowLog {
        RowLog::new(self.unit(self.root), self.far)
    }
}

/// What a leaf is worth for a cell; see [`log_leaf`].
pub(super) fn long_log_leaf(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    cell: &EvidenceCell,
    purpose: EvaluationPurpose,
) -> LongLog {
    match (cell, purpose) {
        (EvidenceCell::Value(x), EvaluationPurpose::Value | EvaluationPurpose::Max) => {
            long_log_density(circuit, values, leaf, *x)
        }
        _ => log_leaf(circuit, values, leaf, cell, purpose).into(),
    }
}

/// For each variable whose cell is far from all of its leaves, the largest of them, given
/// what each leaf is worth: all of them can be divided by that.
pub(crate) fn common(
    circuit: &CircuitGraph,
    is_known: impl Fn(&Leaf) -> bool,
    logs: &[LongLog],
) -> BTreeMap<VarId, LongLog> {
    let is_far = |log: LongLog| log.to_f64().is_finite() && log.to_f64().abs() > FAR;
    let mut largest: BTreeMap<VarId, LongLog> = BTreeMap::new();
    let mut leaves = logs.iter().zip(circuit.leaves());
    if !leaves.any(|(&log, leaf)| is_far(log) && is_known(leaf)) {
        return largest;
    }
    // Only leaves that the root reaches are factors of its value.
    for unit in ReachableUnits::of(circuit, &[circuit.root()]).units() {
        let UnitKind::Input(id) = circuit.kind(unit) else {
            continue;
        };
        let (leaf, log) = (circuit.leaf(id), logs[id.index()]);
        if is_known(leaf) && log.to_f64().is_finite() {
            let best = largest.entry(leaf.variable).or_insert(log);
            *best = if log > *best { log } else { *best };
        }
    }
    largest.retain(|_, log| is_far(*log));
    largest
}
