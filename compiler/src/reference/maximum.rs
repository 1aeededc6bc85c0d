//! Max-product: the most probable way to complete a row.

use super::flows::log_term;
use super::leaf_log::log_soft;
use super::{EvaluationPurpose, EvidenceCell, RowLog, RowLogs, log_values_of};
use crate::circuit::{CircuitGraph, Leaf, ParameterValue, UnitId, UnitKind, VarId};
use crate::leaf::{is_unbounded_in, mode, mode_in};

/// A row with its gaps filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct MaxProductCompletion {
    /// The logarithm of the root's value in max-product: of the likeliest choice
    /// of a child in every sum and a value in every leaf. For a deterministic
    /// circuit that is the density of the likeliest completion.
    pub log_value: f64,
    /// The same, to be compared with those of other rows.
    pub log: RowLog,
    /// A value for each variable; NaN for those that the choice does not mention.
    pub values: Vec<f64>,
}

/// The most probable completion of a row, as max-product finds it.
///
/// Of terms that are equally large the first is taken. Observed values stay; if
/// the row is impossible nothing is filled in.
pub fn complete(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    cells: &[EvidenceCell],
) -> MaxProductCompletion {
    let logs = RowLogs::of(circuit, values, cells, EvaluationPurpose::Max);
    let mut completion = MaxProductCompletion {
        log_value: logs.root().to_f64(),
        log: logs.root(),
        values: cells.iter().map(EvidenceCell::observed).collect(),
    };
    if completion.log_value == f64::NEG_INFINITY {
        return completion;
    }
    let mut chosen = vec![false; circuit.root().index() + 1];
    chosen[circuit.root().index()] = true;
    for unit in circuit.units().take(chosen.len()).rev() {
        match circuit.kind(unit) {
            _ if !chosen[unit.index()] => {}
            UnitKind::Input(leaf) => {
                let leaf = circuit.leaf(leaf);
                let at = leaf.variable.index();
                completion.values[at] = best_value(circuit, values, leaf, &cells[at]);
            }
            UnitKind::Product => {
                for child in circuit.children(unit) {
                    chosen[child.unit.index()] = true;
                }
            }
            UnitKind::Sum => {
                let child = best_child(circuit, values, unit, &logs);
                chosen[child.index()] = true;
            }
        }
    }
    completion
}

/// A variable towards a value of which the density of a row's completions grows without
/// bound, so that none of them is the most probable one.
///
/// That is so where a leaf does it that what is known can reach: other leaves are about
/// other variables, and what sums add is never negative.
pub fn unbounded(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    cells: &[EvidenceCell],
) -> Option<VarId> {
    let full = |variable: VarId| circuit.variable(variable).domain.full();
    let is_unbounded = |leaf: &Leaf| match &cells[leaf.variable.index()] {
        EvidenceCell::Missing => is_unbounded_in(circuit, values, leaf, &full(leaf.variable)),
        EvidenceCell::In(set) => is_unbounded_in(circuit, values, leaf, set),
        EvidenceCell::Value(_) | EvidenceCell::Soft(_) => false,
    };
    // Reading every unit is worth it only for the few circuits that have such leaves.
    if !circuit.leaves().iter().any(is_unbounded) {
        return None;
    }
    let logs = log_values_of(circuit, values, cells, EvaluationPurpose::Value);
    let mut is_reached = vec![false; circuit.root().index() + 1];
    is_reached[circuit.root().index()] = true;
    for unit in circuit.units().take(is_reached.len()).rev() {
        if !is_reached[unit.index()] || logs[unit.index()] == f64::NEG_INFINITY {
            continue;
        }
        if let Some(leaf) = circuit.leaf_of(unit).filter(|leaf| is_unbounded(leaf)) {
            return Some(leaf.variable);
        }
        for child in circuit.children(unit) {
            let weighs = |weight| EvaluationPurpose::Value.log_weight(circuit, values, weight);
            let is_open = child.weight.map_or(0.0, weighs) > f64::NEG_INFINITY;
            is_reached[child.unit.index()] |= is_open;
        }
    }
    None
}

/// The child of the largest term.
fn best_child(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    sum: UnitId,
    logs: &RowLogs,
) -> UnitId {
    let terms = circuit.children(sum).map(|child| {
        let weight = child.weight.expect("a sum's children have weights");
        let log_weight = EvaluationPurpose::Max.log_weight(circuit, values, weight);
        (log_term(log_weight, logs.unit(child.unit)), child.unit)
    });
    let best = terms.reduce(|best, term| if term.0 > best.0 { term } else { best });
    best.expect("a sum has children").1
}

/// The value that is likeliest for the leaf and what is known.
pub fn best_value(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    cell: &EvidenceCell,
) -> f64 {
    match cell {
        EvidenceCell::Value(x) => *x,
        EvidenceCell::Missing => mode(circuit, values, leaf).0,
        EvidenceCell::In(set) => mode_in(circuit, values, leaf, set).0,
        EvidenceCell::Soft(weights) => {
            let logs = log_soft(circuit, values, leaf, weights, EvaluationPurpose::Max);
            let points = logs.into_iter().enumerate();
            let best = points.reduce(|best, point| if point.1 > best.1 { point } else { best });
            let at = best.map_or(0, |(at, _)| at);
            circuit.variable(leaf.variable).domain.first() + at as f64
        }
    }
}
