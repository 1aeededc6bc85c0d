//! Values of rows.

use super::careful::{RecheckBuffers, log_value};
use super::fill::{cells, fill};
use super::mass::divide;
use super::parameters::{KernelPrecision, Parameters};
use super::pool::{PlanUse, PooledTile};
use super::root_bound::RootBound;
use super::shards::{shards, spread};
use super::{Model, Precision, with_precision};
use crate::data::Table;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
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

/// Rows of one job: enough to amortise a worker's wake-up, few enough to share.
pub(super) const JOB_TILES: usize = 16;

/// The logarithm of every row's value for a purpose.
pub(super) fn log_values(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    purpose: EvaluationPurpose,
    threads: usize,
) -> Likelihoods {
    if table.n_rows() == 0 {
        return Likelihoods::default();
    }
    let mut logs = vec![0.0; table.n_rows()];
    let n_repaired = with_precision!(
        model,
        run(model, parameters, table, purpose, threads, &mut logs)
    );
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
    if table.n_rows() > 0 {
        let purpose = EvaluationPurpose::Value;
        with_precision!(
            model,
            run(model, parameters, table, purpose, threads, &mut logs)
        );
    }
    logs
}

/// How the logarithm of a row's value is kept.
pub(super) trait RowLogarithm: Copy + Send {
    /// That of a kernel's value.
    fn of_kernel<T: KernelPrecision>(value: T, exponent: i32) -> Self;
    /// That of a row by the reference.
    fn by_reference(
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        cells: &[EvidenceCell],
        purpose: EvaluationPurpose,
    ) -> Self;
    /// The nearest double.
    fn nearest(self) -> f64;
}

impl RowLogarithm for f64 {
    fn of_kernel<T: KernelPrecision>(value: T, exponent: i32) -> Self {
        log_value(value, exponent)
    }

    fn by_reference(
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        cells: &[EvidenceCell],
        purpose: EvaluationPurpose,
    ) -> Self {
        log_values_of(circuit, values, cells, purpose)[circuit.root().index()]
    }

    fn nearest(self) -> f64 {
        self
    }
}

impl RowLogarithm for RowLog {
    fn of_kernel<T: KernelPrecision>(value: T, exponent: i32) -> Self {
        RowLog::scaled(value.to_f64(), exponent)
    }

    fn by_reference(
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        cells: &[EvidenceCell],
        purpose: EvaluationPurpose,
    ) -> Self {
        RowLogs::of(circuit, values, cells, purpose).root()
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
    purpose: EvaluationPurpose,
    threads: usize,
    logs: &mut [impl RowLogarithm],
) -> usize {
    let n_jobs = table.n_rows().div_ceil(T::LANES * JOB_TILES);
    let jobs = shards(table.n_rows(), T::LANES, n_jobs);
    let new_worker = || LikelihoodWorker::<T>::new(model, parameters, purpose);
    let jobs = with_places(jobs, logs);
    let repaired = spread(&jobs, threads, new_worker, |worker, (rows, place)| {
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        worker.rows(table, rows.clone(), &mut place)
    });
    repaired.into_iter().sum()
}

/// Rows and where their numbers go, which one worker locks and writes.
pub(super) type LikelihoodJob<'a, L> = (Range<usize>, Mutex<&'a mut [L]>);

/// Gives each run of rows its part of the numbers of all.
pub(super) fn with_places<L>(
    jobs: Vec<Range<usize>>,
    mut logs: &mut [L],
) -> Vec<LikelihoodJob<'_, L>> {
    let place = |rows: Range<usize>| {
        let own;
        (own, logs) = std::mem::take(&mut logs).split_at_mut(rows.len());
        (rows, Mutex::new(own))
    };
    jobs.into_iter().map(place).collect()
}

/// The buffers of one thread.
pub(super) struct LikelihoodWorker<'a, T: KernelPrecision> {
    model: &'a Model,
    parameters: &'a Parameters,
    purpose: EvaluationPurpose,
    packed: &'a PackedWeights<T>,
    tile: PooledTile<'a, T>,
    careful: Option<RecheckBuffers<'a, T>>,
    root_bound: RootBound,
}

impl<'a, T: KernelPrecision> LikelihoodWorker<'a, T> {
    pub fn new(model: &'a Model, parameters: &'a Parameters, purpose: EvaluationPurpose) -> Self {
        LikelihoodWorker {
            model,
            parameters,
            purpose,
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
        let within = self.parameters.known();
        fill(&mut self.tile, self.model.circuit(), table, within, first);
        let pass = match self.purpose {
            EvaluationPurpose::Value | EvaluationPurpose::Support => KernelPass::Forward,
            EvaluationPurpose::Max => KernelPass::Max,
        };
        let program = self.model.evaluation();
        let flags = self.tile.run(program, self.packed, pass);
        let root = self.tile.value(program.plan().root());
        for (lane, log) in logs.iter_mut().enumerate() {
            *log = L::of_kernel(root[lane], self.tile.root_exponent(lane));
        }
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
        let is_suspect = |lane: usize, log: L| lost >> lane & 1 == 1 || !is_value(log.nearest());
        if !logs
            .iter()
            .enumerate()
            .any(|(lane, &log)| is_suspect(lane, log))
        {
            return 0;
        }
        self.look_again(table, first, logs, lost)
    }

    /// Keeps what the bounds on losses vouch for and leaves the rest to the reference.
    fn look_again<L: RowLogarithm>(
        &mut self,
        table: &Table,
        first: usize,
        logs: &mut [L],
        lost: u64,
    ) -> usize {
        let careful = self
            .careful
            .get_or_insert_with(|| RecheckBuffers::new(self.model, self.parameters, self.purpose));
        let bounds = match lost {
            0 => Vec::new(),
            _ => careful.bounds(table, first),
        };
        let is_max = self.purpose == EvaluationPurpose::Max;
        let is_good: Vec<bool> = logs
            .iter()
            .enumerate()
            .map(|(lane, &log)| match is_max {
                _ if !is_value(log.nearest()) => false,
                _ if lost >> lane & 1 == 0 => true,
                true => bounds[lane].is_below(log.nearest()),
                false => bounds[lane].is_harmless(),
            })
            .collect();
        self.by_reference(table, first, logs, |lane| !is_good[lane])
    }

    fn by_reference<L: RowLogarithm>(
        &self,
        table: &Table,
        first: usize,
        logs: &mut [L],
        wanted: impl Fn(usize) -> bool,
    ) -> usize {
        let circuit = self.model.circuit();
        let lanes: Vec<usize> = (0..logs.len()).filter(|&lane| wanted(lane)).collect();
        for &lane in &lanes {
            let cells = cells(circuit, table, self.parameters.known(), first + lane);
            let values = self.parameters.values();
            logs[lane] = L::by_reference(circuit, values, &cells, self.purpose);
        }
        lanes.len()
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
