//! The plain reference: what a circuit's units are worth for one row of data.
//!
//! Nothing here is clever. Units are visited in the order of their ids, values
//! are logarithms in `f64`, and the faster engines are tested against it. A pass
//! up gives every unit's value for a [`EvaluationPurpose`]; [`flows`] and [`support_flows`]
//! hand a row down again, and [`complete`] fills the gaps in it.

mod enumerate;
mod flows;
mod leaf_flows;
mod leaf_log;
mod maximum;
mod purpose;
mod row_log;
mod row_logs;
#[cfg(test)]
mod tests;

pub use crate::evidence::EvidenceCell;
pub use enumerate::{assignments, assignments_of, log_total};
pub use flows::{RowFlows, flows, shares, support_flows};
pub use leaf_log::{log_leaf, positive};
pub use maximum::{MaxProductCompletion, best_value, complete, unbounded};
pub use purpose::EvaluationPurpose;
pub use row_log::RowLog;
pub use row_logs::RowLogs;
pub(crate) use row_logs::common;

use crate::circuit::{CircuitGraph, Leaf, LeafId, ParameterValue, UnitId, UnitKind};
use crate::leaf::{LongLog, log_density, long_log_density};
use flows::log_term;
use row_logs::long_log_leaf;

/// The logarithm of every unit's value, by unit index.
///
/// `values` holds a value for each of [`CircuitGraph::all_entries`], `assignment`
/// one for each variable; NaN means that the variable is missing and is summed
/// out. That is right for smooth and decomposable circuits.
pub fn log_values(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    assignment: &[f64],
) -> Vec<f64> {
    let logs = upward(circuit, values, EvaluationPurpose::Value, |leaf| {
        let leaf = circuit.leaf(leaf);
        long_log_density(circuit, values, leaf, assignment[leaf.variable.index()])
    });
    nearest(&logs)
}

/// The logarithm of every unit's value, by unit index, for given logarithms of
/// its leaves: densities at a point, masses on a set, or a mixture of both.
pub fn log_values_over(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    log_leaf: impl Fn(&Leaf) -> f64,
) -> Vec<f64> {
    let logs = upward(circuit, values, EvaluationPurpose::Value, |leaf| {
        log_leaf(circuit.leaf(leaf)).into()
    });
    nearest(&logs)
}

/// The logarithm of every unit's mass, by unit index.
pub(crate) fn log_masses(circuit: &CircuitGraph, values: &[ParameterValue]) -> Vec<f64> {
    log_values_over(circuit, values, |leaf| {
        log_density(circuit, values, leaf, f64::NAN)
    })
}

/// The logarithm of every unit's value for a row of cells, one for each variable,
/// by unit index.
pub fn log_values_of(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    cells: &[EvidenceCell],
    purpose: EvaluationPurpose,
) -> Vec<f64> {
    let logs = upward(circuit, values, purpose, |leaf| {
        let leaf = circuit.leaf(leaf);
        let cell = &cells[leaf.variable.index()];
        long_log_leaf(circuit, values, leaf, cell, purpose)
    });
    nearest(&logs)
}

/// The logarithm of the root's value.
pub fn log_likelihood(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    assignment: &[f64],
) -> f64 {
    log_values(circuit, values, assignment)[circuit.root().index()]
}

fn nearest(logs: &[LongLog]) -> Vec<f64> {
    logs.iter().map(|log| log.to_f64()).collect()
}

fn upward(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    purpose: EvaluationPurpose,
    log_leaf: impl Fn(LeafId) -> LongLog,
) -> Vec<LongLog> {
    let mut logs: Vec<LongLog> = Vec::with_capacity(circuit.n_units());
    for unit in circuit.units() {
        let log_p = match circuit.kind(unit) {
            UnitKind::Input(leaf) => log_leaf(leaf),
            UnitKind::Product => log_product(circuit, &logs, unit),
            UnitKind::Sum => purpose.join_long(circuit.terms(unit).map(|(child, weight)| {
                let log_weight = purpose.log_weight(circuit, values, weight);
                log_term(log_weight, logs[child.index()])
            })),
        };
        logs.push(log_p);
    }
    logs
}

fn log_product(circuit: &CircuitGraph, logs: &[LongLog], unit: UnitId) -> LongLog {
    let factors = circuit.children(unit).map(|child| logs[child.unit.index()]);
    // A factor of zero decides, even beside a density that overflowed.
    factors.fold(LongLog::ONE, |product, factor| {
        let is_zero = product.is_zero() || factor.is_zero();
        if is_zero {
            LongLog::ZERO
        } else {
            product + factor
        }
    })
}
