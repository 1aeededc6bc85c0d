//! Amounts of information estimated from samples.
//!
//! What is exact nowhere else is a mean of logarithms under a circuit, and samples of
//! the circuit estimate a mean with an error that they tell themselves.

use super::divergence::matching;
use super::{InformationError, Scaled};
use crate::data::{Column, Table};
use crate::model::{Model, ModelOptions};
use crate::query::Evidence;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{Value, VarId};
use pelton_compiler::kernel::Precision;

/// A mean over samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// In nats; infinite if a sample shows that the amount is.
    pub nats: f64,
    /// The standard error of the mean.
    pub standard_error: f64,
    /// Number of samples.
    pub n_samples: usize,
}

impl Estimate {
    /// The mean of some numbers, by Welford's method.
    fn of(terms: impl Iterator<Item = f64>) -> Self {
        let (mut n_samples, mut mean, mut squares) = (0_usize, 0.0, 0.0);
        for term in terms {
            if term == f64::INFINITY {
                mean = term;
            }
            n_samples += 1;
            if mean == f64::INFINITY {
                continue;
            }
            let change = term - mean;
            mean += change / n_samples as f64;
            squares += change * (term - mean);
        }
        let n = n_samples.max(2) as f64;
        Estimate {
            nats: mean,
            standard_error: (squares / (n - 1.0) / n).sqrt(),
            n_samples,
        }
    }
}

/// The entropy of a circuit from samples of it.
pub fn estimate_entropy(
    circuit: (&Checked, &[Value]),
    samples: &Table,
    n_threads: usize,
) -> Result<Estimate, InformationError> {
    let logs = Logs::new(circuit, n_threads)?.of(samples);
    Ok(Estimate::of(logs.iter().map(|log| -log)))
}

/// The divergence of the second circuit from the first, from samples of the first; the
/// cross entropy if `is_cross`.
pub fn estimate_divergence(
    first: (&Checked, &[Value]),
    second: (&Checked, &[Value]),
    is_cross: bool,
    samples: &Table,
    n_threads: usize,
) -> Result<Estimate, InformationError> {
    let variables = matching(first.0.circuit(), second.0.circuit())?;
    let columns = variables.iter().map(|own| match own {
        Some(own) => samples.columns()[own.index()].clone(),
        None => Column::Missing,
    });
    let theirs = Table::new(samples.n_rows(), columns.collect());
    let log_p = Logs::new(first, n_threads)?.of(samples);
    let log_q = Logs::new(second, n_threads)?.of(&theirs);
    let terms = log_p
        .iter()
        .zip(&log_q)
        .map(|(log_p, log_q)| match is_cross {
            true => -log_q,
            false => log_p - log_q,
        });
    Ok(Estimate::of(terms))
}

/// The mutual information of two sets of variables, from samples of the circuit.
pub fn estimate_mutual_information(
    circuit: (&Checked, &[Value]),
    (first, second): (&[VarId], &[VarId]),
    samples: &Table,
    n_threads: usize,
) -> Result<Estimate, InformationError> {
    super::mutual::must_be_apart(circuit.0.circuit(), first, second)?;
    let both: Vec<VarId> = first.iter().chain(second).copied().collect();
    let logs = Logs::new(circuit, n_threads)?;
    let [log_x, log_y, log_xy] = [first, second, &both].map(|kept| logs.of(&only(samples, kept)));
    let terms = log_xy.iter().zip(log_x.iter().zip(&log_y));
    Ok(Estimate::of(terms.map(|(xy, (x, y))| xy - x - y)))
}

/// The rows with all but some variables missing.
fn only(samples: &Table, kept: &[VarId]) -> Table {
    let mut columns = vec![Column::Missing; samples.columns().len()];
    for variable in kept {
        columns[variable.index()] = samples.columns()[variable.index()].clone();
    }
    Table::new(samples.n_rows(), columns)
}

/// Logarithms of a circuit that is scaled to mass 1.
struct Logs {
    model: Model,
    values: Vec<Value>,
    log_mass: f64,
    n_threads: usize,
}

impl Logs {
    fn new(
        (checked, values): (&Checked, &[Value]),
        n_threads: usize,
    ) -> Result<Self, InformationError> {
        let circuit = checked.circuit();
        let scaled = Scaled::new(circuit, values, &Evidence::none(circuit))?;
        let options = ModelOptions {
            precision: Precision::F64,
            ..ModelOptions::default()
        };
        Ok(Logs {
            log_mass: scaled.log_mass(circuit.root()),
            model: Model::compile(checked.clone(), &options)?,
            values: values.to_vec(),
            n_threads,
        })
    }

    fn of(&self, rows: &Table) -> Vec<f64> {
        let parameters = self.model.parameters(self.values.clone());
        let found = self
            .model
            .log_likelihoods(&parameters, rows, self.n_threads);
        found.logs.iter().map(|log| log - self.log_mass).collect()
    }
}
