//! What every variable is, given each row.
//!
//! A backward pass gives the derivative of the root's logarithm by every leaf and by the
//! weight of every value in the evidence; times that weight it is the value's posterior
//! probability. So all variables cost one pass up and one down.

mod numbers;
mod reference;

pub use numbers::{Posterior, Posteriors};

use super::careful::{RecheckBuffers, inverse};
use super::fill::{cells, fill};
use super::leaf_runs::{LeafRun, LeafRunKind};
use super::parameters::{KernelPrecision, Parameters};
use super::pool::{PlanUse, PooledTile};
use super::root_bound::RootBound;
use super::shards::{jobs, spread};
use super::{Model, Precision, with_precision};
use crate::data::Table;
use numbers::{PosteriorLayout, PosteriorRows};
use pelton_compiler::circuit::{LeafId, VarId};
use pelton_compiler::kernel::{EvaluationPurpose, KernelPass, PackedWeights};
use pelton_compiler::leaf::{mean_and_variance, mixed_spread};
use pelton_compiler::plan::{EvidenceLayout, PlanRow};
use pelton_compiler::reference::{EvidenceCell, RowLog};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

const JOB_TILES: usize = 8;
/// Samples whose numbers are written together: they stay in the nearest cache meanwhile.
const BLOCK: usize = 16;

pub(super) fn posteriors(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    threads: usize,
) -> Posteriors {
    let plan = model.evaluation().plan();
    let shape = Arc::new(PosteriorLayout::of(model.circuit(), plan));
    if table.n_rows() == 0 {
        return Posteriors::new(shape, 0);
    }
    with_precision!(model, run(model, parameters, table, shape, threads))
}

fn run<T: KernelPrecision>(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    shape: Arc<PosteriorLayout>,
    threads: usize,
) -> Posteriors {
    let jobs = jobs::<T>(table.n_rows(), JOB_TILES);
    let spreads = spreads(model, parameters);
    let mut all = Posteriors::new(shape, table.n_rows());
    // Each part is locked by the one worker that writes it.
    let parts = all.parts(jobs.iter().map(Range::len)).into_iter();
    let jobs: Vec<_> = jobs.into_iter().zip(parts.map(Mutex::new)).collect();
    let new_worker = || PosteriorWorker::<T>::new(model, parameters, table, &spreads);
    spread(&jobs, threads, new_worker, |worker, (rows, part)| {
        let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
        worker.rows(rows.clone(), &mut part);
    });
    all.finish();
    all
}

/// Mean and variance of each density leaf, given what is known of missing cells.
fn spreads(model: &Model, parameters: &Parameters) -> Vec<(f64, f64)> {
    let circuit = model.circuit();
    let spread = |&leaf: &LeafId| {
        let leaf = circuit.leaf(leaf);
        let set = parameters.known().set(leaf.variable).cloned();
        let set = set.unwrap_or_else(|| circuit.variable(leaf.variable).domain.full());
        mean_and_variance(circuit, parameters.values(), leaf, &set)
    };
    let leaves = model.deriving().plan().density_leaves();
    leaves.iter().map(spread).collect()
}

/// The buffers of one thread.
struct PosteriorWorker<'a, T: KernelPrecision> {
    model: &'a Model,
    parameters: &'a Parameters,
    table: &'a Table,
    spreads: &'a [(f64, f64)],
    packed: &'a PackedWeights<T>,
    tile: PooledTile<'a, T>,
    careful: Option<RecheckBuffers<'a, T>>,
    root_bound: RootBound,
}

impl<'a, T: KernelPrecision> PosteriorWorker<'a, T> {
    fn new(
        model: &'a Model,
        parameters: &'a Parameters,
        table: &'a Table,
        spreads: &'a [(f64, f64)],
    ) -> Self {
        PosteriorWorker {
            model,
            parameters,
            table,
            spreads,
            packed: parameters.packed(model, EvaluationPurpose::Value),
            tile: PooledTile::take(model, PlanUse::Deriving),
            careful: None,
            root_bound: parameters
                .root_bound::<T>(model, EvaluationPurpose::Value)
                .with(table),
        }
    }

    fn rows(&mut self, rows: Range<usize>, part: &mut PosteriorRows<'_>) {
        let by_reference = self.model.is_reference(self.table) || !self.packed.is_faithful();
        for first in rows.clone().step_by(T::LANES) {
            let tile = first..rows.end.min(first + T::LANES);
            let at = first - rows.start;
            if by_reference {
                tile.zip(at..)
                    .for_each(|(row, at)| self.by_reference(row, at, part))
            } else {
                self.tile(tile, at, part)
            }
        }
    }

    /// A tile of rows, whose first has position `at`.
    fn tile(&mut self, rows: Range<usize>, at: usize, part: &mut PosteriorRows<'_>) {
        // 1. Up and down, and in which lanes what was lost may matter.
        let is_lossy = self.forward(rows.start);
        let program = self.model.deriving();
        let root: Vec<T> = self.tile.value(program.plan().root()).to_vec();
        self.tile
            .set_root_derivative(root.iter().map(|&value| inverse(value)));
        let flags = self.tile.run(program, self.packed, KernelPass::Backward);
        let bad = match (flags.overflow, is_lossy) {
            (true, _) => u64::MAX,
            (false, true) => self.suspects(&root, rows.start),
            (false, false) => 0,
        };
        let is_bad = |lane: usize| {
            let value = root[lane].to_f64();
            bad >> lane & 1 == 1 || value.is_nan() || value == f64::INFINITY
        };
        // 2. Numbers of all lanes, by the kind of leaves that variables have.
        for (lane, (log, value)) in part.logs[at..][..rows.len()]
            .iter_mut()
            .zip(&root)
            .enumerate()
        {
            *log = RowLog::scaled(value.to_f64(), self.tile.root_exponent(lane));
        }
        self.small_domains(rows.len(), at, part);
        for leaves in self.model.leaf_runs() {
            if let LeafRunKind::Tables { weights, n_values } = leaves.kind {
                self.tables(leaves, (weights, n_values), rows.clone(), at, part);
            }
        }
        self.densities(rows.clone(), at, part);
        // 3. Lanes that cannot be trusted are written anew.
        for (lane, row) in rows.enumerate() {
            if is_bad(lane) {
                self.by_reference(row, at + lane, part);
            } else {
                part.normalize_tables(at + lane);
            }
        }
    }

    /// Evaluates the tile that begins with a row; says whether anything was lost.
    fn forward(&mut self, first: usize) -> bool {
        let table = self.table;
        fill(&mut self.tile, self.model, self.parameters, table, first);
        let program = self.model.deriving();
        let flags = self.tile.run(program, self.packed, KernelPass::Forward);
        flags.underflow || flags.overflow || self.tile.lost() != 0
    }

    /// Lanes in which what was lost may matter.
    fn suspects(&mut self, root: &[T], first: usize) -> u64 {
        let exponent = |lane| self.tile.root_exponent(lane);
        let covered = |lane: usize| self.root_bound.covers(root[lane], exponent(lane));
        let open: Vec<usize> = (0..T::LANES).filter(|&lane| !covered(lane)).collect();
        if open.is_empty() {
            return 0;
        }
        let careful = self.careful.get_or_insert_with(|| {
            RecheckBuffers::new(self.model, self.parameters, EvaluationPurpose::Value)
        });
        let bounds = careful.bounds(self.table, first);
        let bad = open.into_iter().filter(|&lane| !bounds[lane].is_harmless());
        bad.fold(0, |mask, lane| mask | 1 << lane)
    }

    /// Variables with a row of evidence for each value: its weight times its derivative,
    /// as a part of what all values of the variable have.
    fn small_domains(&mut self, n: usize, at: usize, part: &mut PosteriorRows<'_>) {
        for first in (0..n).step_by(BLOCK) {
            let lanes = first..n.min(first + BLOCK);
            for (variable, layout) in self.tile.plan().evidence().iter().enumerate() {
                if let EvidenceLayout::Weights { first, n_values } = *layout {
                    let rows = first.0..first.0 + n_values;
                    self.small_domain(variable, rows, lanes.clone(), at, part);
                }
            }
        }
    }

    fn small_domain(
        &self,
        variable: usize,
        rows: Range<u32>,
        lanes: Range<usize>,
        at: usize,
        part: &mut PosteriorRows<'_>,
    ) {
        let shares = |row: u32| {
            let weights = &self.tile.value(PlanRow(row))[lanes.clone()];
            let derivatives = &self.tile.derivative(PlanRow(row))[lanes.clone()];
            let pairs = weights.iter().zip(derivatives);
            pairs.map(|(&weight, &d)| (weight * d).to_f64())
        };
        let mut totals = [0.0; BLOCK];
        for row in rows.clone() {
            let pairs = totals.iter_mut().zip(shares(row));
            pairs.for_each(|(total, share)| *total += share);
        }
        let position = part.first(variable);
        for (row, code) in rows.zip(0..) {
            let mut quotients = [0.0; BLOCK];
            let triples = quotients.iter_mut().zip(shares(row)).zip(&totals);
            triples.for_each(|((quotient, share), total)| *quotient = share / total);
            let numbers = part.rows_mut(at + lanes.start..at + lanes.end);
            for (numbers, quotient) in numbers.zip(&quotients) {
                numbers[position + code] = *quotient;
            }
        }
    }

    /// Leaves with a table over a larger domain.
    fn tables(
        &self,
        leaves: &LeafRun,
        (weights, n_values): (u32, u32),
        rows: Range<usize>,
        at: usize,
        part: &mut PosteriorRows<'_>,
    ) {
        let tile = &self.tile;
        let circuit = self.model.circuit();
        let domain_first = circuit.variable(leaves.variable).domain.first();
        let variable = leaves.variable.index();
        let known = self.parameters.known().set(leaves.variable);
        for (lane, row) in rows.enumerate() {
            let numbers = part.numbers_mut(at + lane, variable);
            let cell = self.table.columns()[variable].cell(row, domain_first);
            if let EvidenceCell::Value(x) = cell {
                numbers[(x - domain_first) as usize] = 1.0;
                continue;
            }
            // Beside the largest, because weights may be of any size.
            let largest = match &cell {
                EvidenceCell::Soft(weights) => weights.iter().copied().fold(0.0, f64::max),
                _ => 1.0,
            };
            let allowed: Vec<f64> = (0..n_values as usize)
                .map(|code| match (&cell, known) {
                    (EvidenceCell::Soft(weights), _) => weights[code] / largest,
                    (_, Some(set)) => f64::from(set.contains(domain_first + code as f64)),
                    _ => 1.0,
                })
                .collect();
            for i in 0..leaves.n {
                let d = tile.derivative(PlanRow(leaves.out.0 + i))[lane].to_f64();
                if d == 0.0 {
                    continue;
                }
                let first = (weights + i * (n_values + 1)) as usize;
                let table = &self.packed.weights()[first..first + n_values as usize];
                for ((sum, weight), allowed) in numbers.iter_mut().zip(table).zip(&allowed) {
                    *sum += d * weight.to_f64() * allowed;
                }
            }
        }
    }

    /// Variables whose leaves are densities: the leaves' means, mixed.
    fn densities(&self, rows: Range<usize>, at: usize, part: &mut PosteriorRows<'_>) {
        let tile = &self.tile;
        let circuit = self.model.circuit();
        for (variable, layout) in tile.plan().evidence().iter().enumerate() {
            let EvidenceLayout::Reals { .. } = layout else {
                continue;
            };
            let id = VarId::new(variable);
            let first = circuit.variable(id).domain.first();
            for (lane, row) in rows.clone().enumerate() {
                let numbers = part.numbers_mut(at + lane, variable);
                match self.table.columns()[variable].cell(row, first) {
                    EvidenceCell::Value(x) => numbers.copy_from_slice(&[x, 0.0]),
                    _ => {
                        let (mean, variance) = mixed_spread(&self.parts(id, lane));
                        numbers.copy_from_slice(&[mean, variance]);
                    }
                }
            }
        }
    }

    /// What part each density leaf of a variable has in a lane, with mean and variance.
    fn parts(&self, variable: VarId, lane: usize) -> Vec<(f64, f64, f64)> {
        let tile = &self.tile;
        let all = self.model.leaf_runs().iter();
        let own = all.filter(|leaves| leaves.variable == variable);
        let mut parts = Vec::new();
        for leaves in own {
            if let LeafRunKind::Densities { first } = leaves.kind {
                for i in 0..leaves.n {
                    let row = PlanRow(leaves.out.0 + i);
                    let flow = tile.value(row)[lane] * tile.derivative(row)[lane];
                    let (mean, variance) = self.spreads[(first + i) as usize];
                    parts.push((flow.to_f64(), mean, variance));
                }
            }
        }
        parts
    }

    fn by_reference(&self, row: usize, at: usize, part: &mut PosteriorRows<'_>) {
        let (circuit, values) = (self.model.circuit(), self.parameters.values());
        let cells = cells(self.model, self.parameters, self.table, row);
        reference::posterior(circuit, values, &cells, at, part);
        part.normalize(at);
    }
}
