//! Sessions: buffers of one thread, used again and again.

use super::likelihood::LikelihoodWorker;
use super::{EvaluationPurpose, Model, Parameters, Precision};
use crate::data::Table;
use std::ops::Range;

/// What one thread needs to evaluate rows of a model with given parameters.
///
/// A session owns its buffers and lends its results, so evaluating rows again
/// and again allocates nothing. Models and parameters are shared among sessions.
pub struct ModelSession<'a> {
    worker: AnyWorker<'a>,
    logs: Vec<f64>,
}

enum AnyWorker<'a> {
    Single(LikelihoodWorker<'a, f32>),
    Double(LikelihoodWorker<'a, f64>),
}

impl<'a> ModelSession<'a> {
    /// Buffers for the calling thread.
    pub fn new(model: &'a Model, parameters: &'a Parameters) -> Self {
        let purpose = EvaluationPurpose::Value;
        ModelSession {
            worker: match model.options().precision {
                Precision::F32 => {
                    AnyWorker::Single(LikelihoodWorker::new(model, parameters, purpose))
                }
                Precision::F64 => {
                    AnyWorker::Double(LikelihoodWorker::new(model, parameters, purpose))
                }
            },
            logs: Vec::new(),
        }
    }

    /// The logarithms of the values of some rows, in order; -inf for impossible ones.
    ///
    /// # Panics
    /// If the table has fewer rows.
    pub fn log_likelihoods(&mut self, table: &Table, rows: Range<usize>) -> &[f64] {
        assert!(rows.end <= table.n_rows(), "rows of the table");
        self.logs.clear();
        self.logs.resize(rows.len(), 0.0);
        match &mut self.worker {
            AnyWorker::Single(worker) => worker.rows(table, rows, &mut self.logs),
            AnyWorker::Double(worker) => worker.rows(table, rows, &mut self.logs),
        };
        &self.logs
    }
}

impl std::fmt::Debug for ModelSession<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}
