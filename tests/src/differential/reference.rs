//! The reference as a subject.

use super::Subject;
use crate::workload::cells_of;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::flow::CircuitFlows;
use pelton_compiler::reference::{
    EvaluationPurpose, EvidenceCell, complete, flows, log_values_of, support_flows,
};
use pelton_runtime::data::Table;

/// The reference as a subject.
pub struct Reference<'a> {
    /// The circuit.
    pub circuit: &'a CircuitGraph,
    /// A value for each of its entries.
    pub values: &'a [ParameterValue],
}

impl Reference<'_> {
    fn roots(&self, table: &Table, purpose: EvaluationPurpose) -> Vec<f64> {
        let logs = |row| {
            let cells = cells_of(self.circuit, table, row);
            log_values_of(self.circuit, self.values, &cells, purpose)[self.circuit.root().index()]
        };
        (0..table.n_rows()).map(logs).collect()
    }
}

impl Reference<'_> {
    /// What a row of the table says of each variable, NaN where it gives no value.
    pub(super) fn observed(&self, table: &Table, row: usize) -> Vec<f64> {
        let cells = cells_of(self.circuit, table, row);
        let value = |cell: &EvidenceCell| match cell {
            EvidenceCell::Value(x) => *x,
            EvidenceCell::Missing | EvidenceCell::Soft(_) | EvidenceCell::In(_) => f64::NAN,
        };
        cells.iter().map(value).collect()
    }
}

impl Subject for Reference<'_> {
    fn name(&self) -> String {
        "reference".to_string()
    }

    fn log_likelihoods(&mut self, table: &Table) -> Vec<f64> {
        self.roots(table, EvaluationPurpose::Value)
    }

    fn flows(&mut self, table: &Table) -> (CircuitFlows, usize) {
        let (mut sum, mut n_zero) = (CircuitFlows::zero(self.circuit), 0);
        for row in 0..table.n_rows() {
            let cells = cells_of(self.circuit, table, row);
            match flows(self.circuit, self.values, &cells) {
                Some(row) => row.add_to(&mut sum),
                None => n_zero += 1,
            }
        }
        (sum, n_zero)
    }

    fn support_flows(&mut self, table: &Table) -> CircuitFlows {
        let mut sum = CircuitFlows::zero(self.circuit);
        for row in 0..table.n_rows() {
            let cells = cells_of(self.circuit, table, row);
            support_flows(self.circuit, self.values, &cells).add_to(&mut sum);
        }
        sum
    }

    fn maxima(&mut self, table: &Table) -> Vec<f64> {
        self.roots(table, EvaluationPurpose::Max)
    }

    fn completions(&mut self, table: &Table) -> Vec<Vec<f64>> {
        let complete = |row| {
            let cells = cells_of(self.circuit, table, row);
            complete(self.circuit, self.values, &cells).values
        };
        (0..table.n_rows()).map(complete).collect()
    }
}
