//! Draws what goes with each row.
//!
//! A forward pass on kernels, then down from the root: into one term of every sum, by
//! chance in proportion to the terms, and all factors of every product.

use super::careful::RecheckBuffers;
use super::fill::{cells, fill};
use super::origin::{ComputedOrigin, OriginFactor, UnitNumber};
use super::parameters::{KernelPrecision, Parameters};
use super::root_bound::RootBound;
use super::shards::map_rows;
use super::walk::{LeafDraw, SamplingWalk};
use super::{Model, Precision, with_precision};
use crate::data::Table;
use pelton_compiler::choice::unit;
use pelton_compiler::circuit::LeafId;
use pelton_compiler::kernel::{EvaluationPurpose, KernelPass, PackedWeights, Tile};
use pelton_compiler::plan::{PlanRow, WeightSlot};
use pelton_compiler::reference::EvidenceCell;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::ops::Range;

const JOB_TILES: usize = 4;

/// How rows are sampled.
#[derive(Clone, Copy, Debug)]
pub struct RowSampling {
    /// Draws for each row.
    pub n_each: usize,
    /// What is drawn depends on this and on the row's number alone.
    pub seed: u64,
    /// The number of the first row.
    pub first_row: u64,
    /// Threads; 0 takes as many as there are cores.
    pub threads: usize,
}

/// For each row, `n_each` completions drawn from its posterior, one after the other;
/// nothing for a row that is impossible.
pub(crate) fn draws(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    options: &RowSampling,
) -> Vec<Option<Vec<f64>>> {
    with_precision!(model, run(model, parameters, table, options))
}

fn run<T: KernelPrecision>(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    options: &RowSampling,
) -> Vec<Option<Vec<f64>>> {
    let new_worker = || DrawWorker::<T>::new(model, parameters, table, *options);
    let size = (table.n_rows(), JOB_TILES);
    map_rows::<T, _, _>(size, options.threads, new_worker, DrawWorker::rows)
}

struct DrawWorker<'a, T: KernelPrecision> {
    model: &'a Model,
    parameters: &'a Parameters,
    table: &'a Table,
    options: RowSampling,
    packed: &'a PackedWeights<T>,
    tile: Tile<T>,
    careful: Option<RecheckBuffers<'a, T>>,
    root_bound: RootBound,
    /// Leaves that were drawn from where nothing was observed.
    leaves: HashMap<(LeafId, usize), LeafDraw<'a>>,
    pending: Vec<UnitNumber>,
    terms: Vec<f64>,
}

impl<'a, T: KernelPrecision> DrawWorker<'a, T> {
    fn new(
        model: &'a Model,
        parameters: &'a Parameters,
        table: &'a Table,
        options: RowSampling,
    ) -> Self {
        DrawWorker {
            model,
            parameters,
            table,
            options,
            packed: parameters.packed(model, EvaluationPurpose::Value),
            tile: Tile::new(model.choosing().plan().clone()),
            careful: None,
            root_bound: parameters
                .root_bound::<T>(model, EvaluationPurpose::Value)
                .with(table),
            leaves: HashMap::new(),
            pending: Vec::new(),
            terms: Vec::new(),
        }
    }

    fn rows(&mut self, rows: Range<usize>) -> Vec<Option<Vec<f64>>> {
        let by_reference = self.model.is_reference(self.table) || !self.packed.is_faithful();
        let mut drawn = Vec::with_capacity(rows.len());
        for first in rows.clone().step_by(T::LANES) {
            let tile = first..rows.end.min(first + T::LANES);
            if by_reference {
                drawn.extend(tile.map(|row| self.by_reference(row)))
            } else {
                self.tile(tile, &mut drawn)
            }
        }
        drawn
    }

    fn tile(&mut self, rows: Range<usize>, drawn: &mut Vec<Option<Vec<f64>>>) {
        // 1. The terms of all sums, and whether what was lost of them may matter.
        let (table, first) = (self.table, rows.start);
        fill(&mut self.tile, self.model, self.parameters, table, first);
        let program = self.model.choosing();
        let flags = self.tile.run(program, self.packed, KernelPass::Forward);
        let is_lossy = flags.underflow || flags.overflow || self.tile.lost() != 0;
        let root: Vec<T> = self.tile.value(program.plan().root()).to_vec();
        let exponent = |lane| self.tile.root_exponent(lane);
        let covered = |lane: usize| self.root_bound.covers(root[lane], exponent(lane));
        let is_suspect = is_lossy && !(0..rows.len()).all(covered);
        let bounds = is_suspect.then(|| {
            let careful = self.careful.get_or_insert_with(|| {
                RecheckBuffers::new(self.model, self.parameters, EvaluationPurpose::Value)
            });
            careful.bounds(table, first)
        });
        // 2. Each lane by the kernels' terms or by the reference's; no draws from nothing.
        let is_harmless = |lane: usize| {
            let bounds = bounds.as_ref();
            bounds.is_none_or(|bounds| bounds[lane].is_harmless())
        };
        for (lane, row) in rows.enumerate() {
            let value = root[lane].to_f64();
            let is_good = is_harmless(lane);
            drawn.push(match is_good && value < f64::INFINITY {
                true if value > 0.0 => Some(self.follow(lane, row)),
                true => None,
                false => self.by_reference(row),
            });
        }
    }

    fn random(&self, row: usize) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(self.options.seed);
        random.set_stream(self.options.first_row + row as u64);
        random
    }

    fn by_reference(&self, row: usize) -> Option<Vec<f64>> {
        let cells = cells(self.model, self.parameters, self.table, row);
        let walk = SamplingWalk::new(self.model.circuit(), self.parameters.values(), &cells);
        if walk.log_value.is_zero() {
            return None;
        }
        let (mut random, mut pending) = (self.random(row), Vec::new());
        let mut all = Vec::with_capacity(cells.len() * self.options.n_each);
        for _ in 0..self.options.n_each {
            let mut values: Vec<f64> = cells.iter().map(EvidenceCell::observed).collect();
            walk.draw(&mut random, &mut pending, &mut values);
            all.extend(values);
        }
        Some(all)
    }

    /// Walks down from the root of a lane, once for each draw.
    fn follow(&mut self, lane: usize, row: usize) -> Vec<f64> {
        let model = self.model;
        let cells = cells(model, self.parameters, self.table, row);
        let mut random = self.random(row);
        let n = cells.len();
        let mut all = vec![0.0; n * self.options.n_each];
        for values in all.chunks_exact_mut(n.max(1)) {
            let known = values.iter_mut().zip(&cells);
            known.for_each(|(x, cell)| *x = cell.observed());
            self.pending.clear();
            self.pending.push(model.origins().root());
            while let Some(at) = self.pending.pop() {
                match model.origins().get(at) {
                    ComputedOrigin::Constant => {}
                    ComputedOrigin::Literal { variable, code } => {
                        let domain = &model.circuit().variables()[variable as usize].domain;
                        values[variable as usize] = domain.first() + f64::from(code);
                    }
                    ComputedOrigin::Product { first, n } => {
                        let factors = model.origins().factors(first, n).iter();
                        self.pending.extend(factors.map(|&(_, number)| number));
                    }
                    ComputedOrigin::Run(run) => {
                        let factor = |at| (PlanRow(run.row.0 + at), run.number + at);
                        let factors: Vec<OriginFactor> = (0..run.n).map(factor).collect();
                        self.choose(run.weights, &factors, 1, lane, &mut random);
                    }
                    ComputedOrigin::Terms(terms) => {
                        let factors = model.origins().factors(terms.first, terms.n);
                        let arity = terms.arity as usize;
                        self.choose(terms.weights, factors, arity, lane, &mut random);
                    }
                    ComputedOrigin::Leaf { leaf, variable } => {
                        let at = variable as usize;
                        values[at] = self.leaf_value((leaf, at), &cells[at], &mut random);
                    }
                }
            }
        }
        all
    }

    /// Adds the factors of one of a sum's terms, drawn in proportion to the terms.
    fn choose(
        &mut self,
        weights: WeightSlot,
        factors: &[OriginFactor],
        arity: usize,
        lane: usize,
        random: &mut ChaCha8Rng,
    ) {
        self.terms.clear();
        let mut total = 0.0;
        let weights = &self.packed.weights()[weights.0 as usize..];
        for (&weight, factors) in weights.iter().zip(factors.chunks_exact(arity)) {
            let lanes = factors.iter().map(|&(row, _)| self.tile.value(row)[lane]);
            let term = lanes.fold(weight, |product, value| product * value);
            total += term.to_f64();
            self.terms.push(total);
        }
        let at = unit(random) * total;
        // A term of zero ends where the one before it does, so that it is passed over.
        let chosen = self.terms.partition_point(|&end| end <= at);
        let chosen = chosen.min(self.terms.len() - 1);
        let next = factors[chosen * arity..][..arity].iter();
        self.pending.extend(next.map(|&(_, number)| number));
    }

    /// A value of a leaf, whose table may be that of another variable.
    fn leaf_value(
        &mut self,
        id: (LeafId, usize),
        cell: &EvidenceCell,
        random: &mut ChaCha8Rng,
    ) -> f64 {
        let (circuit, values) = (self.model.circuit(), self.parameters.values());
        let leaf = circuit.leaf(id.0);
        match cell {
            EvidenceCell::Missing | EvidenceCell::In(_) => self
                .leaves
                .entry(id)
                .or_insert_with(|| LeafDraw::new(circuit, values, leaf, cell))
                .draw(random),
            EvidenceCell::Value(x) => *x,
            EvidenceCell::Soft(_) => LeafDraw::new(circuit, values, leaf, cell).draw(random),
        }
    }
}
