//! What the reference answers for one table.

use super::{Reference, Subject};
use crate::workload::cells_of;
use pelton_compiler::circuit::{CircuitGraph, Leaf, LeafKind, ParameterValue};
use pelton_compiler::flow::{CircuitFlows, LeafFlows};
use pelton_compiler::reference::{EvaluationPurpose, EvidenceCell, log_values_of};
use pelton_runtime::data::{Column, Table};

pub(super) struct Expected {
    pub rows: Vec<Vec<EvidenceCell>>,
    pub log_likelihoods: Vec<f64>,
    pub maxima: Vec<f64>,
    pub flows: ExpectedFlows,
    /// None if something is missing, or if the circuit has more ways to explain a
    /// row than a number can count.
    pub support_flows: Option<ExpectedFlows>,
}

pub(super) struct ExpectedFlows {
    pub flows: CircuitFlows,
    pub n_zero: usize,
    /// What enters at the root in all rows.
    pub total: f64,
    /// How large the numbers of each leaf may be.
    pub leaf_scales: Vec<Vec<f64>>,
}

impl Expected {
    pub fn new(circuit: &CircuitGraph, values: &[ParameterValue], table: &Table) -> Self {
        let mut reference = Reference { circuit, values };
        let rows = (0..table.n_rows()).map(|row| cells_of(circuit, table, row));
        let rows: Vec<Vec<EvidenceCell>> = rows.collect();
        let (flows, n_zero) = reference.flows(table);
        let total = (rows.len() - n_zero) as f64;
        let scaled = |flows: CircuitFlows, n_zero: usize, total: f64| ExpectedFlows {
            leaf_scales: leaf_scales(circuit, values, table, &flows, total),
            flows,
            n_zero,
            total,
        };
        let is_complete = rows
            .iter()
            .flatten()
            .all(|cell| *cell != EvidenceCell::Missing);
        let entering = if is_complete {
            total_support(circuit, values, &rows)
        } else {
            f64::INFINITY
        };
        let is_counted = entering < f64::MAX / 1e20;
        Expected {
            log_likelihoods: reference.log_likelihoods(table),
            maxima: reference.maxima(table),
            flows: scaled(flows, n_zero, total),
            support_flows: is_counted.then(|| {
                let flows = reference.support_flows(table);
                scaled(flows, 0, entering)
            }),
            rows,
        }
    }

    /// The smallest logarithm of a possible row.
    pub fn least_log_p(&self) -> f64 {
        let possible = self
            .log_likelihoods
            .iter()
            .filter(|log_p| log_p.is_finite());
        possible.copied().fold(0.0, f64::min)
    }
}

fn total_support(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    rows: &[Vec<EvidenceCell>],
) -> f64 {
    let root = circuit.root().index();
    rows.iter()
        .map(|cells| log_values_of(circuit, values, cells, EvaluationPurpose::Support)[root].exp())
        .sum()
}

fn leaf_scales(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    table: &Table,
    flows: &CircuitFlows,
    total: f64,
) -> Vec<Vec<f64>> {
    let leaves = circuit.leaves().iter().zip(&flows.leaves);
    leaves
        .map(|(leaf, flows)| match flows {
            LeafFlows::Moments(_) => {
                let reach = reach(circuit, values, table, leaf);
                vec![total, total, total * reach, total * reach * reach]
            }
            _ => vec![total; flows.numbers().len()],
        })
        .collect()
}

/// How large a statistic of the leaf can be for some cell of its column.
fn reach(circuit: &CircuitGraph, values: &[ParameterValue], table: &Table, leaf: &Leaf) -> f64 {
    let mean = match &leaf.kind {
        LeafKind::Distribution(distribution) => {
            let param = distribution.params.first();
            let entry = param.map(|&param| circuit.parameter(param).entries().start);
            entry.map_or(0.0, |at| values[at].linear().abs())
        }
        LeafKind::Indicator(_) => 0.0,
    };
    let first = circuit.variable(leaf.variable).domain.first();
    let largest = match &table.columns()[leaf.variable.index()] {
        Column::Reals(numbers) => numbers.iter().fold(1.0, |m: f64, x| m.max(x.abs())),
        Column::Codes(codes) => {
            let numbers = codes.iter().map(|&code| (first + f64::from(code)).abs());
            numbers.fold(1.0, f64::max)
        }
        _ => 1.0,
    };
    largest + mean
}
