//! Values of rows that a program has in memory.

use super::likelihood::{JOB_TILES, Worker, with_places};
use super::parameters::{Parameters, Precise};
use super::shards::{shards, spread};
use super::{Model, Precision, with_precision};
use crate::data::{BatchError, Bound, Scratch};
use pelton_compiler::kernel::Purpose;
use std::sync::PoisonError;

/// Writes the logarithm of the value of every row; says how many rows were repaired.
///
/// Rows are read a job at a time by the thread that evaluates them, into tables and
/// buffers that were used before.
pub(super) fn log_values(
    model: &Model,
    parameters: &Parameters,
    batch: &Bound<'_>,
    threads: usize,
    logs: &mut [f64],
) -> Result<usize, BatchError> {
    assert_eq!(logs.len(), batch.n_rows(), "a place for each row");
    if logs.is_empty() {
        return Ok(0);
    }
    with_precision!(model, run(model, parameters, batch, threads, logs))
}

fn run<T: Precise>(
    model: &Model,
    parameters: &Parameters,
    batch: &Bound<'_>,
    threads: usize,
    logs: &mut [f64],
) -> Result<usize, BatchError> {
    let n_jobs = logs.len().div_ceil(T::LANES * JOB_TILES);
    let jobs = with_places(shards(logs.len(), T::LANES, n_jobs), logs);
    let new_state = || -> (Scratch<'_>, Worker<'_, T>) {
        let worker = Worker::new(model, parameters, Purpose::Value);
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
