//! Values of rows that a program has in memory.

use super::likelihood::{JOB_TILES, LikelihoodWorker, with_places};
use super::parameters::{KernelPrecision, Parameters};
use super::shards::{shards, spread};
use super::{Model, Precision, with_precision};
use crate::data::{BatchError, BoundBatch, ScratchTable};
use pelton_compiler::kernel::EvaluationPurpose;
use std::sync::PoisonError;

/// Writes the logarithm of the value of every row; says how many rows were repaired.
///
/// Rows are read a job at a time by the thread that evaluates them, into tables and
/// buffers that were used before.
pub(super) fn log_values(
    model: &Model,
    parameters: &Parameters,
    batch: &BoundBatch<'_>,
    threads: usize,
    logs: &mut [f64],
) -> Result<usize, BatchError> {
    assert_eq!(logs.len(), batch.n_rows(), "a place for each row");
    if logs.is_empty() {
        return Ok(0);
    }
    with_precision!(model, run(model, parameters, batch, threads, logs))
}

fn run<T: KernelPrecision>(
    model: &Model,
    parameters: &Parameters,
    batch: &BoundBatch<'_>,
    threads: usize,
    logs: &mut [f64],
) -> Result<usize, BatchError> {
    let n_jobs = logs.len().div_ceil(T::LANES * JOB_TILES);
    let jobs = with_places(shards(logs.len(), T::LANES, n_jobs), logs);
    let new_state = || -> (ScratchTable<'_>, LikelihoodWorker<'_, T>) {
        let worker = LikelihoodWorker::new(model, parameters, EvaluationPurpose::Value);
        (batch.scratch(), worker)
    };
    let parts = spread(
        &jobs,
        threads,
        new_state,
        |(scratch, worker), (rows, place)| {
            let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
            let table = scratch.fill(batch, rows.clone())?;
            Ok(worker.rows(table, 0..rows.len(), &mut place))
        },
    );
    parts.into_iter().sum()
}
