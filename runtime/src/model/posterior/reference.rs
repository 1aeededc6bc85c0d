//! The plain reference: flows into leaves, in logarithms.

use super::numbers::PosteriorRows;
use pelton_compiler::circuit::{CircuitGraph, Leaf, ParameterValue, UnitKind};
use pelton_compiler::leaf::{log_table, mean_and_variance, mixed_spread};
use pelton_compiler::reference::{EvidenceCell, RowLog, flows, shares};

/// Writes the posteriors of a row of cells to position `at`, up to a factor.
pub(super) fn posterior(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    cells: &[EvidenceCell],
    at: usize,
    into: &mut PosteriorRows<'_>,
) {
    let found = flows(circuit, values, cells);
    into.logs[at] = found.as_ref().map_or(RowLog::ZERO, |row| row.log);
    into.row_mut(at).fill(0.0);
    let Some(found) = found else {
        return;
    };
    let mut parts: Vec<Vec<(f64, f64, f64)>> = vec![Vec::new(); circuit.variables().len()];
    for unit in circuit.units() {
        let flow = found.contexts[unit.index()];
        let UnitKind::Input(leaf) = circuit.kind(unit) else {
            continue;
        };
        let leaf = circuit.leaf(leaf);
        let cell = &cells[leaf.variable.index()];
        if flow <= 0.0 {
            continue;
        }
        if into.is_spread(leaf.variable) {
            let (mean, variance) = leaf_spread(circuit, values, leaf, cell);
            parts[leaf.variable.index()].push((flow, mean, variance));
        } else {
            let numbers = into.numbers_mut(at, leaf.variable.index());
            add(circuit, values, leaf, cell, flow, numbers)
        }
    }
    let parts = parts.iter().enumerate();
    for (variable, parts) in parts.filter(|(_, parts)| !parts.is_empty()) {
        let (mean, variance) = mixed_spread(parts);
        let numbers = into.numbers_mut(at, variable);
        numbers.copy_from_slice(&[mean, variance]);
    }
}

fn leaf_spread(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    cell: &EvidenceCell,
) -> (f64, f64) {
    let full = circuit.variable(leaf.variable).domain.full();
    match cell {
        EvidenceCell::Value(x) => (*x, 0.0),
        EvidenceCell::In(set) => mean_and_variance(circuit, values, leaf, set),
        EvidenceCell::Missing | EvidenceCell::Soft(_) => {
            mean_and_variance(circuit, values, leaf, &full)
        }
    }
}

/// Divides the flow into a leaf among the values that the cell allows.
fn add(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    cell: &EvidenceCell,
    flow: f64,
    numbers: &mut [f64],
) {
    let first = circuit.variable(leaf.variable).domain.first();
    if let EvidenceCell::Value(x) = cell {
        numbers[(x - first) as usize] += flow;
        return;
    }
    let logs = log_table(circuit, values, leaf);
    let term = |(code, log): (usize, &f64)| match cell {
        EvidenceCell::Soft(weights) => log + weights[code].ln(),
        EvidenceCell::In(set) if !set.contains(first + code as f64) => f64::NEG_INFINITY,
        _ => *log,
    };
    let terms: Vec<f64> = logs.iter().enumerate().map(term).collect();
    let pairs = numbers.iter_mut().zip(shares(&terms));
    pairs.for_each(|(sum, share)| *sum += flow * share);
}
