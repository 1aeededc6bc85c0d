//! Compares answers with the reference's.

use super::{Subject, Tolerance, Worst};
use crate::workload::cells_of;
use pelton_compiler::circuit::{Circuit, LeafKind, Value};
use pelton_compiler::evaluate::{Cell, Purpose, complete, flows, log_values_of, support_flows};
use pelton_compiler::flow::{Flows, LeafFlows};
use pelton_runtime::data::{Column, Table};

/// The reference's view of one table.
pub(super) struct Judge<'a> {
    circuit: &'a Circuit,
    values: &'a [Value],
    tolerance: Tolerance,
    rows: Vec<Vec<Cell>>,
    pub worst: Worst,
}

impl<'a> Judge<'a> {
    pub fn new(
        circuit: &'a Circuit,
        values: &'a [Value],
        table: &Table,
        tolerance: Tolerance,
    ) -> Self {
        let rows = (0..table.n_rows()).map(|row| cells_of(circuit, table, row));
        Judge {
            circuit,
            values,
            tolerance,
            rows: rows.collect(),
            worst: Worst::default(),
        }
    }

    pub fn everything(&mut self, table: &Table, subject: &mut dyn Subject) -> Result<(), String> {
        self.log_likelihoods(&subject.log_likelihoods(table))?;
        self.flows(&subject.flows(table), table)?;
        let is_complete = self
            .rows
            .iter()
            .flatten()
            .all(|cell| *cell != Cell::Missing);
        if is_complete {
            self.support_flows(&subject.support_flows(table), table)?;
        }
        self.maxima(&subject.maxima(table))?;
        self.completions(&subject.completions(table))
    }

    /// The logarithm of the root's value.
    fn log_root(&self, cells: &[Cell], purpose: Purpose) -> f64 {
        let logs = log_values_of(self.circuit, self.values, cells, purpose);
        logs[self.circuit.root().index()]
    }

    fn log_likelihoods(&mut self, found: &[f64]) -> Result<(), String> {
        let roots = self.rows.iter();
        let expected: Vec<f64> = roots
            .map(|cells| self.log_root(cells, Purpose::Value))
            .collect();
        let positive = expected.iter().filter(|log_p| log_p.is_finite());
        self.worst.least_log_p = positive.copied().fold(0.0, f64::min);
        self.worst.n_zero = expected.iter().filter(|log_p| !log_p.is_finite()).count();
        self.logarithms("log-likelihood", found, &expected)
    }

    fn maxima(&mut self, found: &[f64]) -> Result<(), String> {
        let rows = self.rows.iter();
        let expected: Vec<f64> = rows
            .map(|cells| self.log_root(cells, Purpose::Max))
            .collect();
        self.logarithms("maximum", found, &expected)
    }

    fn logarithms(&mut self, what: &str, found: &[f64], expected: &[f64]) -> Result<(), String> {
        if found.len() != expected.len() {
            return Err(format!("{what} of {} rows", found.len()));
        }
        for (row, (&found, &expected)) in found.iter().zip(expected).enumerate() {
            let error = log_error(found, expected);
            self.worst.log_p = self.worst.log_p.max(error);
            // Written so that an error that is no number counts.
            if !(error <= self.tolerance.log_p) {
                return Err(format!("{what} of row {row} is {found}, not {expected}"));
            }
        }
        Ok(())
    }

    fn flows(&mut self, (found, n_zero): &(Flows, usize), table: &Table) -> Result<(), String> {
        let mut expected = Flows::zero(self.circuit);
        let mut zeros = 0;
        for cells in &self.rows {
            match flows(self.circuit, self.values, cells) {
                Some(row) => row.add_to(&mut expected),
                None => zeros += 1,
            }
        }
        if *n_zero != zeros {
            return Err(format!("{n_zero} rows are impossible, not {zeros}"));
        }
        let total = (self.rows.len() - zeros) as f64;
        self.all_flows("flow", found, &expected, total, table)
    }

    fn support_flows(&mut self, found: &Flows, table: &Table) -> Result<(), String> {
        let mut expected = Flows::zero(self.circuit);
        let mut total = 0.0;
        for cells in &self.rows {
            let row = support_flows(self.circuit, self.values, cells);
            total += row.log_value.exp();
            row.add_to(&mut expected);
        }
        self.all_flows("support flow", found, &expected, total, table)
    }

    fn all_flows(
        &mut self,
        what: &str,
        found: &Flows,
        expected: &Flows,
        total: f64,
        table: &Table,
    ) -> Result<(), String> {
        let scales = vec![total; expected.entries.len()];
        let entries = (&found.entries[..], &expected.entries[..]);
        self.numbers(&format!("{what} of entry"), entries, &scales)?;
        if found.leaves.len() != expected.leaves.len() {
            return Err(format!("{what} of {} leaves", found.leaves.len()));
        }
        for (at, (found, expected)) in found.leaves.iter().zip(&expected.leaves).enumerate() {
            let scales = self.leaf_scales(at, expected, total, table);
            let numbers = (found.numbers(), expected.numbers());
            self.numbers(&format!("{what} of leaf {at}, number"), numbers, &scales)?;
        }
        Ok(())
    }

    /// What the numbers of a leaf's flows are to be compared with: the total
    /// flow, times how large the statistics may be.
    fn leaf_scales(&self, at: usize, flows: &LeafFlows, total: f64, table: &Table) -> Vec<f64> {
        let LeafFlows::Moments(_) = flows else {
            return vec![total; flows.numbers().len()];
        };
        let leaf = &self.circuit.leaves()[at];
        let mean = match &leaf.kind {
            LeafKind::Distribution(distribution) => {
                let entries = self.circuit.parameter(distribution.params[0]).entries();
                self.values[entries.start].linear().abs()
            }
            LeafKind::Indicator(_) => 0.0,
        };
        let largest = match &table.columns()[leaf.variable.index()] {
            Column::Reals(numbers) => numbers.iter().fold(1.0, |m: f64, x| m.max(x.abs())),
            _ => 1.0,
        };
        let reach = largest + mean;
        vec![total, total, total * reach, total * reach * reach]
    }

    fn numbers(
        &mut self,
        what: &str,
        (found, expected): (&[f64], &[f64]),
        scales: &[f64],
    ) -> Result<(), String> {
        if found.len() != expected.len() {
            return Err(format!("{what}: there are {}", found.len()));
        }
        for (at, ((&found, &expected), scale)) in found.iter().zip(expected).zip(scales).enumerate()
        {
            let error = match found == expected {
                true => 0.0,
                false => (found - expected).abs() / scale,
            };
            self.worst.flow = self.worst.flow.max(error);
            if !(error <= self.tolerance.flow) {
                return Err(format!(
                    "{what} {at} is {found}, not {expected}, of {scale}"
                ));
            }
        }
        Ok(())
    }

    /// A completion keeps what was observed and is as good as the best.
    fn completions(&mut self, found: &[Vec<f64>]) -> Result<(), String> {
        if found.len() != self.rows.len() {
            return Err(format!("completions of {} rows", found.len()));
        }
        for (row, (completion, cells)) in found.iter().zip(&self.rows).enumerate() {
            let best = complete(self.circuit, self.values, cells).log_value;
            if best == f64::NEG_INFINITY {
                continue;
            }
            let narrowed = self.narrowed(cells, completion).ok_or_else(|| {
                format!("completion of row {row} is {completion:?} for {cells:?}")
            })?;
            let value = self.log_root(&narrowed, Purpose::Max);
            let error = log_error(value, best);
            self.worst.log_p = self.worst.log_p.max(error);
            if !(error <= self.tolerance.log_p) {
                return Err(format!(
                    "completion of row {row} is worth {value}, not {best}"
                ));
            }
        }
        Ok(())
    }

    /// The row with the completion's values in its gaps; `None` if the completion
    /// changes a value, or gives one that the domain does not have.
    fn narrowed(&self, cells: &[Cell], completion: &[f64]) -> Option<Vec<Cell>> {
        if completion.len() != cells.len() {
            return None;
        }
        let variables = self.circuit.variables();
        let pairs = cells.iter().zip(completion).zip(variables);
        pairs
            .map(|((cell, &x), variable)| match cell {
                Cell::Value(own) => (*own == x).then_some(Cell::Value(x)),
                Cell::Missing if x.is_nan() => Some(Cell::Missing),
                Cell::Missing => Some(Cell::Value(x)),
                Cell::Soft(weights) if x.is_nan() => Some(Cell::Soft(weights.clone())),
                Cell::Soft(weights) => {
                    let at = (x - variable.domain.first()) as usize;
                    let mut only = vec![0.0; weights.len()];
                    *only.get_mut(at)? = *weights.get(at)?;
                    Some(Cell::Soft(only))
                }
            })
            .collect()
    }
}

/// How far a logarithm is off, for each unit of its size; infinite where only one
/// of the two is.
fn log_error(found: f64, expected: f64) -> f64 {
    match found == expected {
        true => 0.0,
        false => (found - expected).abs() / expected.abs().max(1.0),
    }
}
