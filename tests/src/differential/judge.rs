//! The reference's answers for one table, and how far others are from them.

use super::expected::{Expected, ExpectedFlows};
use super::{Subject, Tolerance, Worst};
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::flow::CircuitFlows;
use pelton_compiler::reference::{EvaluationPurpose, EvidenceCell, log_values_of};
use pelton_runtime::data::Table;

/// Knows the right answers for one table.
pub struct Judge<'a> {
    circuit: &'a CircuitGraph,
    values: &'a [ParameterValue],
    table: &'a Table,
    expected: Expected,
}

impl<'a> Judge<'a> {
    /// Asks the reference for everything.
    pub fn new(circuit: &'a CircuitGraph, values: &'a [ParameterValue], table: &'a Table) -> Self {
        Judge {
            circuit,
            values,
            table,
            expected: Expected::new(circuit, values, table),
        }
    }

    /// Asks a subject for everything that the table allows; an answer that is too
    /// far off is an error that says which.
    ///
    /// Flows through supports are compared if nothing is missing: of a gap they
    /// know nothing.
    pub fn judge(&self, subject: &mut dyn Subject, tolerance: Tolerance) -> Result<Worst, String> {
        let mut trial = Trial {
            judge: self,
            tolerance,
            worst: Worst {
                least_log_p: self.expected.least_log_p(),
                n_zero: self.expected.flows.n_zero,
                ..Worst::default()
            },
        };
        let found = trial.everything(subject);
        found
            .map(|()| trial.worst)
            .map_err(|why| format!("{}: {why}", subject.name()))
    }
}

/// The judgement of one subject.
struct Trial<'a> {
    judge: &'a Judge<'a>,
    tolerance: Tolerance,
    worst: Worst,
}

impl Trial<'_> {
    fn everything(&mut self, subject: &mut dyn Subject) -> Result<(), String> {
        let (expected, table) = (&self.judge.expected, self.judge.table);
        let found = subject.log_likelihoods(table);
        self.logarithms("log-likelihood", &found, &expected.log_likelihoods)?;
        let (found, n_zero) = subject.flows(table);
        if n_zero != expected.flows.n_zero {
            let right = expected.flows.n_zero;
            return Err(format!("{n_zero} rows are impossible, not {right}"));
        }
        self.flows("flow", &found, &expected.flows)?;
        if let Some(flows) = &expected.support_flows {
            self.flows("support flow", &subject.support_flows(table), flows)?;
        }
        let found = subject.maxima(table);
        self.logarithms("maximum", &found, &expected.maxima)?;
        self.completions(&subject.completions(table))
    }

    fn logarithms(&mut self, what: &str, found: &[f64], expected: &[f64]) -> Result<(), String> {
        if found.len() != expected.len() {
            return Err(format!("{what} of {} rows", found.len()));
        }
        for (row, (&found, &expected)) in found.iter().zip(expected).enumerate() {
            self.logarithm(found, expected)
                .map_err(|why| format!("{what} of row {row} {why}"))?;
        }
        Ok(())
    }

    fn logarithm(&mut self, found: f64, expected: f64) -> Result<(), String> {
        let error = if found == expected {
            0.0
        } else {
            (found - expected).abs() / expected.abs().max(1.0)
        };
        self.worst.log_p = self.worst.log_p.max(error);
        // An error that is no number is too large, and so is one beside -inf.
        if error <= self.tolerance.log_p {
            Ok(())
        } else {
            Err(format!("is {found}, not {expected}"))
        }
    }

    fn flows(
        &mut self,
        what: &str,
        found: &CircuitFlows,
        expected: &ExpectedFlows,
    ) -> Result<(), String> {
        let scales = vec![expected.total; expected.flows.entries.len()];
        let entries = (&found.entries[..], &expected.flows.entries[..]);
        self.numbers(&format!("{what} of entry"), entries, &scales)?;
        if found.leaves.len() != expected.flows.leaves.len() {
            return Err(format!("{what} of {} leaves", found.leaves.len()));
        }
        let pairs = found.leaves.iter().zip(&expected.flows.leaves);
        for (at, (found, right)) in pairs.enumerate() {
            let numbers = (found.numbers(), right.numbers());
            let scales = &expected.leaf_scales[at];
            self.numbers(&format!("{what} of leaf {at}, number"), numbers, scales)?;
        }
        Ok(())
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
        let pairs = found.iter().zip(expected).zip(scales);
        for (at, ((&found, &expected), scale)) in pairs.enumerate() {
            // Many edges may share an entry, so that it has more than the total.
            let error = if found == expected {
                0.0
            } else {
                (found - expected).abs() / scale.max(expected.abs())
            };
            self.worst.flow = self.worst.flow.max(error);
            // Not so for errors that are no numbers.
            let is_close = error <= self.tolerance.flow;
            if !is_close {
                return Err(format!(
                    "{what} {at} is {found}, not {expected}, of {scale}"
                ));
            }
        }
        Ok(())
    }

    /// A completion keeps what was observed and is as good as the best.
    fn completions(&mut self, found: &[Vec<f64>]) -> Result<(), String> {
        let (judge, rows) = (self.judge, &self.judge.expected.rows);
        if found.len() != rows.len() {
            return Err(format!("completions of {} rows", found.len()));
        }
        for (row, (completion, cells)) in found.iter().zip(rows).enumerate() {
            let best = judge.expected.maxima[row];
            if best == f64::NEG_INFINITY {
                continue;
            }
            let narrowed = narrowed(judge.circuit, cells, completion);
            let narrowed = narrowed.ok_or_else(|| {
                format!("completion of row {row} is {completion:?} for {cells:?}")
            })?;
            let logs = log_values_of(
                judge.circuit,
                judge.values,
                &narrowed,
                EvaluationPurpose::Max,
            );
            self.logarithm(logs[judge.circuit.root().index()], best)
                .map_err(|why| format!("worth of the completion of row {row} {why}"))?;
        }
        Ok(())
    }
}

/// A row with a completion's values in its gaps; `None` if the completion changes
/// a value, or gives one that the domain does not have.
fn narrowed(
    circuit: &CircuitGraph,
    cells: &[EvidenceCell],
    completion: &[f64],
) -> Option<Vec<EvidenceCell>> {
    if completion.len() != cells.len() {
        return None;
    }
    let pairs = cells.iter().zip(completion).zip(circuit.variables());
    pairs
        .map(|((cell, &x), variable)| match cell {
            EvidenceCell::Value(own) => (*own == x).then_some(EvidenceCell::Value(x)),
            EvidenceCell::Missing | EvidenceCell::In(_) if x.is_nan() => Some(cell.clone()),
            EvidenceCell::In(set) => set.contains(x).then_some(EvidenceCell::Value(x)),
            EvidenceCell::Missing => Some(EvidenceCell::Value(x)),
            EvidenceCell::Soft(weights) if x.is_nan() => Some(EvidenceCell::Soft(weights.clone())),
            EvidenceCell::Soft(weights) => {
                let at = (x - variable.domain.first()) as usize;
                let mut only = vec![0.0; weights.len()];
                *only.get_mut(at)? = *weights.get(at)?;
                Some(EvidenceCell::Soft(only))
            }
        })
        .collect()
}
