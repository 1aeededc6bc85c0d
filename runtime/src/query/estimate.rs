//! Amounts of information estimated from samples.
//!
//! What is exact nowhere else is a mean of logarithms under a circuit, and samples of
//! the circuit estimate a mean with an error that they tell themselves.

use super::enumerate::double_model;
use super::error::finite;
use super::{CircuitSampler, InformationError, ScaledCircuit, ValueBox};
use crate::data::Table;
use crate::model::{Model, Parameters};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{Event, ParameterValue};

/// A mean over samples.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Estimate {
    /// In nats; infinite if a sample shows that the amount is.
    pub nats: f64,
    /// The standard error of the mean.
    pub standard_error: f64,
    /// Number of samples.
    pub n_samples: usize,
}

/// How samples are drawn.
#[derive(Clone, Copy, Debug)]
pub struct EstimateOptions {
    /// How many; from 2 on they tell their error.
    pub n_samples: usize,
    /// What is drawn depends on this alone.
    pub seed: u64,
    /// Threads.
    pub n_threads: usize,
}

/// Samples that are drawn at a time.
const CHUNK: usize = 1 << 16;

/// A mean in the making, by Welford's method.
#[derive(Default)]
struct RunningMean {
    n: usize,
    mean: f64,
    squares: f64,
}

impl RunningMean {
    fn add(&mut self, term: f64) {
        self.n += 1;
        if term == f64::INFINITY || self.mean == f64::INFINITY {
            self.mean = f64::INFINITY;
            return;
        }
        let change = term - self.mean;
        self.mean += change / self.n as f64;
        self.squares += change * (term - self.mean);
    }

    fn estimate(&self) -> Estimate {
        let n = self.n.max(2) as f64;
        Estimate {
            nats: self.mean,
            standard_error: (self.squares / (n - 1.0) / n).sqrt(),
            n_samples: self.n,
        }
    }
}

/// Logarithms of a circuit that is scaled to mass 1.
pub(super) struct SampledLogs {
    model: Model,
    parameters: Parameters,
    log_mass: f64,
    n_threads: usize,
}

impl SampledLogs {
    pub fn new(
        (checked, values): (&Checked, &[ParameterValue]),
        n_threads: usize,
    ) -> Result<Self, InformationError> {
        let circuit = checked.circuit();
        let scaled = ScaledCircuit::new(circuit, values, &ValueBox::default())?;
        let model = double_model(checked)?;
        Ok(SampledLogs {
            log_mass: scaled.log_mass(circuit.root()),
            parameters: model.parameters(values.to_vec()),
            model,
            n_threads,
        })
    }

    /// The mean of `terms` over samples of the circuit.
    pub fn mean(
        &self,
        sampling: &EstimateOptions,
        terms: impl Fn(&Table) -> Vec<f64>,
    ) -> Result<Estimate, InformationError> {
        let anything = Event::And(Vec::new());
        let sampler = CircuitSampler::new(&self.model, &self.parameters, &anything);
        let sampler = sampler.map_err(|gap| {
            InformationError::Impossible(format!("sampling from the circuit {gap}"))
        })?;
        let mut tally = RunningMean::default();
        for first in (0..sampling.n_samples).step_by(CHUNK) {
            let numbers = first..sampling.n_samples.min(first + CHUNK);
            let samples = sampler.draw(numbers, sampling.seed, sampling.n_threads);
            terms(&samples).into_iter().for_each(|term| tally.add(term));
        }
        if tally.mean.is_nan() {
            finite(f64::NAN, "the estimate")?;
        }
        Ok(tally.estimate())
    }

    pub fn of(&self, rows: &Table) -> Vec<f64> {
        let (parameters, n_threads) = (&self.parameters, self.n_threads);
        let found = self.model.log_likelihoods(parameters, rows, n_threads);
        found.logs.iter().map(|log| log - self.log_mass).collect()
    }
}
