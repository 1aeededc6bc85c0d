//! Values of rows.

use super::careful::{RecheckBuffers, log_value};
use super::fill::{cells, fill};
use super::mass::divide;
use super::parameters::{KernelPrecision, Parameters};
use super::pool::{PlanUse, PooledTile};
use super::root_bound::RootBound;
use super::shards::{jobs, spread};
use super::{Model, Precision, with_precision};
use crate::data::{BatchError, BoundBatch, Table};
use pelton_compiler::circuit::ParameterValue;
use pelton_compiler::kernel::{EvaluationPurpose, KernelPass, PackedWeights};
use pelton_compiler::reference::{EvidenceCell, RowLog, RowLogs, log_values_of};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Logarithms of the values of rows.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Likelihoods {
    /// One for each row; -inf for impossible ones.
    pub logs: Vec<f64>,
    /// Rows that the kernels could not hold and the reference evaluated.
    pub n_repaired: usize,
}

impl Likelihoods {
    /// The same over what values are [divided by](Model::log_divisor) to be likelihoods.
    pub fn over(mut self, log_divisor: f64) -> Self {
        divide(&mut self.logs, log_divisor);
        self
    }

    /// Rows with a value of zero.
    pub fn n_zero(&self) -> usize {
        let is_zero = |&&log: &&f64| log == f64::NEG_INFINITY;
        self.logs.iter().filter(is_zero).count()
    }

    /// The mean over rows that are possible; not a number if there are none.
    pub fn mean(&self) -> f64 {
        let possible = self.logs.iter().filter(|&&log| log != f64::NEG_INFINITY);
        let total: f64 = possible.clone().sum();
        total / possible.count() as f64
    }
}

/// Tiles of one job: enough to amortise a worker's wake-up, few enough to share.
const JOB_TILES: usize = 16;

/// The logarithm of every row's value.
pub(super) fn log_values(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    threads: usize,
) -> Likelihoods {
    let mut logs = vec![0.0; table.n_rows()];
    let n_repaired = with_precision!(model, run(model, parameters, table, threads, &mut logs));
    Likelihoods { logs, n_repaired }
}

/// The same, to be compared with those of other rows.
pub(super) fn row_logs(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    threads: usize,
) -> Vec<RowLog> {
    let mut logs = vec![RowLog::ZERO; table.n_rows()];
    with_precision!(model, run(model, parameters, table, threads, &mut logs));
    logs
}

/// How the logarithm of a row's value is kept.
trait RowLogarithm: Copy + Send {
    /// That of a kernel's value.
    fn of_kernel<T: KernelPrecision>(value: T, exponent: i32) -> Self;
    /// That of a row by the reference.
    fn by_reference(model: &Model, values: &[ParameterValue], cells: &[EvidenceCell]) -> Self;
    /// The nearest double.
    fn nearest(self) -> f64;
}

impl RowLogarithm for f64 {
    fn of_kernel<T: KernelPrecision>(value: T, exponent: i32) -> Self {
        log_value(value, exponent)
    }

    fn by_reference(model: &Model, values: &[ParameterValue], cells: &[EvidenceCell]) -> Self {
        let circuit = model.circuit();
        let logs = log_values_of(circuit, values, cells, EvaluationPurpose::Value);
        logs[circuit.root().index()]
    }

    fn nearest(self) -> f64 {
        self
    }
}

impl RowLogarithm for RowLog {
    fn of_kernel<T: KernelPrecision>(value: T, exponent: i32) -> Self {
        RowLog::scaled(value.to_f64(), exponent)
    }

    fn by_reference(model: &Model, values: &[ParameterValue], cells: &[EvidenceCell]) -> Self {
        RowLogs::of(model.circuit(), values, cells, EvaluationPurpose::Value).root()
    }

    fn nearest(self) -> f64 {
        self.to_f64()
    }
}

/// Writes the logarithms of all rows, and says how many were repaired.
fn run<T: KernelPrecision>(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    threads: usize,
    logs: &mut [impl RowLogarithm],
) -> usize {
    if logs.is_empty() {
        return 0;
    }
    let new_worker = || LikelihoodWorker::<T>::new(model, parameters);
    let jobs = with_places::<T, _>(logs);
    let repaired = spread(&jobs, threads, new_worker, |worker, (rows, place)| {
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        worker.rows(table, rows.clone(), &mut place)
    });
    repaired.into_iter().sum()
}

/// Writes the logarithm of the value of every row; says how many rows were repaired.
///
/// Rows are read a job at a time by the thread that evaluates them, into tables and
/// buffers that were used before.
pub(super) fn log_values_into(
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
    with_precision!(model, run_batch(model, parameters, batch, threads, logs))
}

fn run_batch<T: KernelPrecision>(
    model: &Model,
    parameters: &Parameters,
    batch: &BoundBatch<'_>,
    threads: usize,
    logs: &mut [f64],
) -> Result<usize, BatchError> {
    let jobs = with_places::<T, _>(logs);
    let new_state = || {
        (
            batch.scratch(),
            LikelihoodWorker::<T>::new(model, parameters),
        )
    };
    let parts = spread(&jobs, threads, new_state, |state, (rows, place)| {
        let (scratch, worker) = state;
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        let table = scratch.fill(batch, rows.clone())?;
        Ok(worker.rows(table, 0..rows.len(), &mut place))
    });
    parts.into_iter().sum()
}

/// Rows and where their numbers go, which one worker locks and writes.
type LikelihoodJob<'a, L> = (Range<usize>, Mutex<&'a mut [L]>);

/// The jobs of all rows, each with its part of their numbers.
fn with_places<T: KernelPrecision, L>(mut logs: &mut [L]) -> Vec<LikelihoodJob<'_, L>> {
    let jobs = jobs::<T>(logs.len(), JOB_TILES);
    let place = |rows: Range<usize>| {
        let own;
        (own, logs) = std::mem::take(&mut logs).split_at_mut(rows.len());
        (rows, Mutex::new(own))
    };
    jobs.into_iter().map(place).collect()
}

/// The buffers of one thread.
struct LikelihoodWorker<'a, T: KernelPrecision> {
    model: &'a Model,
    parameters: &'a Parameters,
    packed: &'a PackedWeights<T>,
    tile: PooledTile<'a, T>,
    careful: Option<RecheckBuffers<'a, T>>,
    root_bound: RootBound,
}

impl<'a, T: KernelPrecision> LikelihoodWorker<'a, T> {
    pub fn new(model: &'a Model, parameters: &'a Parameters) -> Self {
        let purpose = EvaluationPurpose::Value;
        LikelihoodWorker {
            model,
            parameters,
            packed: parameters.packed(model, purpose),
            tile: PooledTile::take(model, PlanUse::Values),
            careful: None,
            root_bound: parameters.root_bound::<T>(model, purpose),
        }
    }

    /// The values of a range of rows; says how many were repaired.
    pub fn rows<L: RowLogarithm>(
        &mut self,
        table: &Table,
        rows: Range<usize>,
        logs: &mut [L],
    ) -> usize {
        let root_bound = self.root_bound.with(table);
        let is_reference = self.model.is_reference(table);
        let mut n_repaired = 0;
        for (at, logs) in logs.chunks_mut(T::LANES).enumerate() {
            let first = rows.start + at * T::LANES;
            if is_reference {
                self.by_reference(table, first, logs, |_| true);
                continue;
            }
            n_repaired += if self.packed.is_faithful() {
                self.tile(table, first, root_bound, logs)
            } else {
                self.by_reference(table, first, logs, |_| true)
            };
        }
        n_repaired
    }

    /// The values of a tile; says how many rows were repaired.
    fn tile<L: RowLogarithm>(
        &mut self,
        table: &Table,
        first: usize,
        root_bound: RootBound,
        logs: &mut [L],
    ) -> usize {
        // 1. The values of all lanes.
        fill(&mut self.tile, self.model, self.parameters, table, first);
        let program = self.model.evaluation();
        let flags = self.tile.run(program, self.packed, KernelPass::Forward);
        let root = self.tile.value(program.plan().root());
        for (lane, log) in logs.iter_mut().enumerate() {
            *log = L::of_kernel(root[lane], self.tile.root_exponent(lane));
        }
        // 2. Lanes in which something was lost that may matter beside the root, and those whose
        // value is none.
        let lost = if flags.underflow {
            u64::MAX
        } else {
            self.tile.lost()
        };
        let matters = |lane: usize| !root_bound.covers(root[lane], self.tile.root_exponent(lane));
        let lost = match lost {
            0 => 0,
            _ => lost & bits((0..T::LANES).map(matters)),
        };
        if lost == 0 && logs.iter().all(|log| is_value(log.nearest())) {
            return 0;
        }
        self.look_again(table, first, logs, lost)
    }

    /// Keeps what is right by the bounds on losses and leaves the rest to the reference.
    fn look_again<L: RowLogarithm>(
        &mut self,
        table: &Table,
        first: usize,
        logs: &mut [L],
        lost: u64,
    ) -> usize {
        let careful = self.careful.get_or_insert_with(|| {
            RecheckBuffers::new(self.model, self.parameters, EvaluationPurpose::Value)
        });
        let bounds = match lost {
            0 => Vec::new(),
            _ => careful.bounds(table, first),
        };
        let is_sound = |lane: usize| lost >> lane & 1 == 0 || bounds[lane].is_harmless();
        let lanes = logs.iter().enumerate();
        let is_good = lanes.map(|(lane, log)| is_value(log.nearest()) && is_sound(lane));
        let is_good: Vec<bool> = is_good.collect();
        self.by_reference(table, first, logs, |lane| !is_good[lane])
    }

    fn by_reference<L: RowLogarithm>(
        &self,
        table: &Table,
        first: usize,
        logs: &mut [L],
        wanted: impl Fn(usize) -> bool,
    ) -> usize {
        let mut n_rows = 0;
        for lane in (0..logs.len()).filter(|&lane| wanted(lane)) {
            let cells = cells(self.model, self.parameters, table, first + lane);
            logs[lane] = L::by_reference(self.model, self.parameters.values(), &cells);
            n_rows += 1;
        }
        n_rows
    }
}

/// A bit for each lane.
fn bits(lanes: impl Iterator<Item = bool>) -> u64 {
    let bits = (0..).zip(lanes);
    bits.fold(0, |mask, (lane, is_set)| mask | u64::from(is_set) << lane)
}

/// Whether a logarithm is one of a value that kernels can hold.
fn is_value(log: f64) -> bool {
    log < f64::INFINITY
}
