//! Flows of one row: how much of it passes through every unit and edge.
//!
//! The row enters at the root and is handed down. A product gives all of its
//! flow to each child, a sum divides it among its children in proportion to
//! their terms. Terms are compared as logarithms and shares add up to 1, so that
//! neither depth nor a tiny probability loses anything.

use super::{EvaluationPurpose, EvidenceCell, RowLog, RowLogs};
use crate::circuit::{CircuitGraph, ParameterValue, UnitId, UnitKind};
use crate::flow::CircuitFlows;
use crate::leaf::LongLog;

/// The flows of one row.
#[derive(Clone, Debug)]
pub struct RowFlows<'a> {
    pub(super) circuit: &'a CircuitGraph,
    pub(super) values: &'a [ParameterValue],
    pub(super) cells: &'a [EvidenceCell],
    pub(super) purpose: EvaluationPurpose,
    /// The logarithm of the root's value.
    pub log_value: f64,
    /// The same, to be compared with those of other rows.
    pub log: RowLog,
    /// The flow through each unit, by unit index.
    pub contexts: Vec<f64>,
    /// The flow along each sum's edges, with the position of the edge's entry.
    edges: Vec<(usize, f64)>,
}

/// The expected flows of a row: along an edge, the derivative of the logarithm of
/// the root's value by the logarithm of the edge's weight.
///
/// `None` if the row is impossible: nothing can be said of how it came about.
pub fn flows<'a>(
    circuit: &'a CircuitGraph,
    values: &'a [ParameterValue],
    cells: &'a [EvidenceCell],
) -> Option<RowFlows<'a>> {
    let (row, logs) = RowFlows::new(circuit, values, cells, EvaluationPurpose::Value);
    row.log_value
        .is_finite()
        .then(|| row.handed_down(1.0, &logs))
}

/// The flows of a row through supports, which do not depend on weights.
///
/// What enters at the root is as much of the evidence as lies in its support: 1
/// or 0 for an observation in a deterministic circuit. These are the flows of
/// the most likely parameters if the circuit is deterministic and nothing is missing.
pub fn support_flows<'a>(
    circuit: &'a CircuitGraph,
    values: &'a [ParameterValue],
    cells: &'a [EvidenceCell],
) -> RowFlows<'a> {
    let (row, logs) = RowFlows::new(circuit, values, cells, EvaluationPurpose::Support);
    let entering = row.log_value.exp();
    row.handed_down(entering, &logs)
}

impl<'a> RowFlows<'a> {
    /// No flows yet, and the logarithms of the units' values.
    fn new(
        circuit: &'a CircuitGraph,
        values: &'a [ParameterValue],
        cells: &'a [EvidenceCell],
        purpose: EvaluationPurpose,
    ) -> (Self, RowLogs) {
        let logs = RowLogs::of(circuit, values, cells, purpose);
        let row = RowFlows {
            circuit,
            values,
            cells,
            purpose,
            log_value: logs.root().to_f64(),
            log: logs.root(),
            contexts: vec![0.0; circuit.n_units()],
            edges: Vec::new(),
        };
        (row, logs)
    }

    /// Lets `entering` flow in at the root.
    fn handed_down(mut self, entering: f64, logs: &RowLogs) -> Self {
        let root = self.circuit.root();
        self.contexts[root.index()] = entering;
        for unit in self.circuit.units().take(root.index() + 1).rev() {
            let context = self.contexts[unit.index()];
            match self.circuit.kind(unit) {
                _ if context == 0.0 => {}
                UnitKind::Input(_) => {}
                UnitKind::Product => {
                    for child in self.circuit.children(unit) {
                        self.contexts[child.unit.index()] += context;
                    }
                }
                UnitKind::Sum => self.divide(unit, context, logs),
            }
        }
        self
    }

    /// Divides the flow through a sum among its edges.
    fn divide(&mut self, sum: UnitId, context: f64, logs: &RowLogs) {
        let (circuit, values) = (self.circuit, self.values);
        let terms: Vec<LongLog> = circuit
            .children(sum)
            .map(|child| {
                let weight = child.weight.expect("a sum's children have weights");
                let log_weight = self.purpose.log_weight(circuit, values, weight);
                log_term(log_weight, logs.unit(child.unit))
            })
            .collect();
        let shares = circuit
            .children(sum)
            .zip(shares(&LongLog::relative(&terms)));
        // No part of a flow beyond all numbers is nothing, rather than undefined.
        for (child, share) in shares.filter(|&(_, share)| share > 0.0) {
            let weight = child.weight.expect("a sum's children have weights");
            self.contexts[child.unit.index()] += context * share;
            let position = circuit.entry_position(weight);
            self.edges.push((position, context * share));
        }
    }

    /// The flow along every edge of a sum: the position of its entry, and how much.
    pub fn edges(&self) -> &[(usize, f64)] {
        &self.edges
    }

    /// Adds the row's flows to those of other rows.
    pub fn add_to(&self, flows: &mut CircuitFlows) {
        for &(position, flow) in &self.edges {
            flows.entries[position] += flow;
        }
        for (unit, &context) in self.circuit.units().zip(&self.contexts) {
            if let UnitKind::Input(leaf) = self.circuit.kind(unit)
                && context > 0.0
            {
                self.add_leaf(leaf, context, flows);
            }
        }
    }
}

/// A weight times a value; nothing times anything is nothing, however large it is.
pub(super) fn log_term(log_weight: f64, log_value: LongLog) -> LongLog {
    if log_weight == f64::NEG_INFINITY {
        LongLog::ZERO
    } else {
        log_value + log_weight.into()
    }
}

/// What part of their total each of some numbers is, given as logarithms; all
/// zero if there is nothing.
pub fn shares(logs: &[f64]) -> Vec<f64> {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return vec![0.0; logs.len()];
    }
    let parts: Vec<f64> = logs.iter().map(|log| (log - largest).exp()).collect();
    let total: f64 = parts.iter().sum();
    parts.iter().map(|part| part / total).collect()
}
