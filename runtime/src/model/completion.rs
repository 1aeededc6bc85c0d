//! The most probable completion of rows.
//!
//! A pass with maxima in place of sums, then down from the root: into the
//! largest term of every sum and all factors of every product. Leaves and rows of
//! evidence that are reached say what their variable is.

use super::careful::{RecheckBuffers, log_value};
use super::fill::{cell, cells, fill, observed};
use super::origin::{ComputedOrigin, OriginFactor, OriginRun, UnitNumber};
use super::parameters::{KernelPrecision, Parameters};
use super::root_bound::RootBound;
use super::shards::map_rows;
use super::{Model, Precision, with_precision};
use crate::data::Table;
use pelton_compiler::circuit::{LeafId, VarId};
use pelton_compiler::kernel::{EvaluationPurpose, KernelPass, PackedWeights, Tile};
use pelton_compiler::plan::WeightSlot;
use pelton_compiler::reference::{
    EvidenceCell, MaxProductCompletion, RowLog, best_value, complete,
};
use std::collections::HashMap;
use std::ops::Range;

const JOB_TILES: usize = 4;

pub(super) fn completions(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    threads: usize,
) -> Vec<MaxProductCompletion> {
    with_precision!(model, run(model, parameters, table, threads))
}

fn run<T: KernelPrecision>(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    threads: usize,
) -> Vec<MaxProductCompletion> {
    let new_worker = || CompletionWorker::<T>::new(model, parameters);
    let size = (table.n_rows(), JOB_TILES);
    map_rows::<T, _, _>(size, threads, new_worker, |worker, rows| {
        worker.rows(table, rows)
    })
}

struct CompletionWorker<'a, T: KernelPrecision> {
    model: &'a Model,
    parameters: &'a Parameters,
    packed: &'a PackedWeights<T>,
    tile: Tile<T>,
    careful: Option<RecheckBuffers<'a, T>>,
    root_bound: RootBound,
    /// Modes of leaves that were asked for.
    modes: HashMap<(LeafId, usize), f64>,
    /// What is still to be followed.
    pending: Vec<UnitNumber>,
}

impl<'a, T: KernelPrecision> CompletionWorker<'a, T> {
    fn new(model: &'a Model, parameters: &'a Parameters) -> Self {
        CompletionWorker {
            model,
            parameters,
            packed: parameters.packed(model, EvaluationPurpose::Max),
            tile: Tile::new(model.choosing().plan().clone()),
            careful: None,
            root_bound: parameters.root_bound::<T>(model, EvaluationPurpose::Max),
            modes: HashMap::new(),
            pending: Vec::new(),
        }
    }

    fn rows(&mut self, table: &Table, rows: Range<usize>) -> Vec<MaxProductCompletion> {
        let by_reference = self.model.is_reference(table) || !self.packed.is_faithful();
        let mut completions = Vec::with_capacity(rows.len());
        for first in rows.clone().step_by(T::LANES) {
            let tile = first..rows.end.min(first + T::LANES);
            if by_reference {
                completions.extend(tile.map(|row| self.by_reference(table, row)))
            } else {
                self.tile(table, tile, &mut completions)
            }
        }
        completions
    }

    fn by_reference(&self, table: &Table, row: usize) -> MaxProductCompletion {
        let cells = cells(self.model, self.parameters, table, row);
        complete(self.model.circuit(), self.parameters.values(), &cells)
    }

    fn tile(
        &mut self,
        table: &Table,
        rows: Range<usize>,
        completions: &mut Vec<MaxProductCompletion>,
    ) {
        // 1. Maxima in place of sums, and in which lanes something was lost that may matter.
        let first = rows.start;
        fill(&mut self.tile, self.model, self.parameters, table, first);
        let program = self.model.choosing();
        let flags = self.tile.run(program, self.packed, KernelPass::Max);
        let root = self.tile.value(program.plan().root());
        let root_bound = self.root_bound.with(table);
        let covered = |lane: usize| root_bound.covers(root[lane], self.tile.root_exponent(lane));
        let lost = if flags.underflow {
            u64::MAX
        } else {
            self.tile.lost()
        };
        let open = (0..rows.len()).filter(|&lane| lost >> lane & 1 == 1 && !covered(lane));
        let lost = open.fold(0_u64, |mask, lane| mask | 1 << lane);
        let bounds = (lost != 0).then(|| {
            let careful = self.careful.get_or_insert_with(|| {
                RecheckBuffers::new(self.model, self.parameters, EvaluationPurpose::Max)
            });
            careful.bounds(table, first)
        });
        // 2. Down from the root of each lane, unless what was lost may exceed the maximum.
        let values = observed(self.model.circuit(), table, rows.clone());
        for ((lane, row), values) in rows.enumerate().zip(values) {
            let root = self.tile.value(program.plan().root())[lane];
            let exponent = self.tile.root_exponent(lane);
            let log_value = log_value(root, exponent);
            let bound = bounds.as_ref().map(|bounds| bounds[lane]);
            let is_lost = lost >> lane & 1 == 1 && bound.is_some_and(|b| !b.is_below(log_value));
            completions.push(
                if is_lost || log_value.is_nan() || log_value == f64::INFINITY {
                    self.by_reference(table, row)
                } else {
                    MaxProductCompletion {
                        values: self.follow(table, (lane, row), log_value, values),
                        log_value,
                        log: RowLog::scaled(root.to_f64(), exponent),
                    }
                },
            );
        }
    }

    /// Follows the largest terms down from the root; adds to the values that are known.
    fn follow(
        &mut self,
        table: &Table,
        (lane, row): (usize, usize),
        log_value: f64,
        mut values: Vec<f64>,
    ) -> Vec<f64> {
        let origins = self.model.origins();
        let mut next = (log_value > f64::NEG_INFINITY).then_some(origins.root());
        while let Some(at) = next {
            match origins.get(at) {
                ComputedOrigin::Run(run) => {
                    if !self.settle(at, lane, &mut values) {
                        next = Some(run.number + self.largest_of_run(run, lane));
                        continue;
                    }
                }
                ComputedOrigin::Product { first, n } => {
                    for &(_, factor) in origins.factors(first, n) {
                        if !self.settle(factor, lane, &mut values) {
                            self.pending.push(factor);
                        }
                    }
                }
                ComputedOrigin::Literal { .. } => {
                    self.settle(at, lane, &mut values);
                }
                ComputedOrigin::Terms(terms) => {
                    let factors = origins.factors(terms.first, terms.n);
                    let arity = terms.arity as usize;
                    let term = self.largest_term(terms.weights, factors, arity, lane);
                    let chosen = factors[term * arity..][..arity].iter();
                    self.pending.extend(chosen.map(|&(_, number)| number));
                }
                ComputedOrigin::Leaf { leaf, variable } => {
                    let at = variable as usize;
                    let cell = cell(self.model, self.parameters, table, (row, VarId::new(at)));
                    values[at] = self.leaf_value((leaf, at), &cell);
                }
                ComputedOrigin::Constant => {}
            }
            next = self.pending.pop();
        }
        values
    }

    /// Gives a variable its value if the unit is a value of it, or a sum that chooses
    /// among its values, as half of all units on the way are: they need not wait for their
    /// turn. One that has a value already keeps it.
    #[inline]
    fn settle(&self, unit: UnitNumber, lane: usize, values: &mut [f64]) -> bool {
        let origins = self.model.origins();
        let (first, run) = match origins.get(unit) {
            ComputedOrigin::Run(run) => (run.number, Some(run)),
            _ => (unit, None),
        };
        let ComputedOrigin::Literal { variable, code } = origins.get(first) else {
            return false;
        };
        let value = &mut values[variable as usize];
        if value.is_nan() {
            let chosen = run.map_or(0, |run| self.largest_of_run(run, lane));
            let domain = &self.model.circuit().variables()[variable as usize].domain;
            *value = domain.first() + f64::from(code + chosen);
        }
        true
    }

    /// The position of the largest of terms whose rows are consecutive, the first of equal
    /// ones. Which one it is cannot be foreseen, so that outcomes of comparisons are
    /// selected from, not branched to; even and odd positions do not wait for each other.
    #[inline]
    fn largest_of_run(&self, run: OriginRun, lane: usize) -> u32 {
        let weights = &self.packed.weights()[run.weights.0 as usize..][..run.n as usize];
        let rows = self.tile.values(run.row, run.n);
        let term = |at: usize| weights[at] * rows[at * T::LANES + lane];
        let mut best = [(T::ZERO, 0); 2];
        for pair in (0..weights.len() / 2).map(|pair| 2 * pair) {
            best = [
                larger(best[0], (term(pair), pair)),
                larger(best[1], (term(pair + 1), pair + 1)),
            ];
        }
        if weights.len() % 2 == 1 {
            let last = weights.len() - 1;
            best[0] = larger(best[0], (term(last), last));
        }
        let [even, odd] = best;
        let is_odd = odd.0 > even.0 || (odd.0 == even.0 && odd.1 < even.1);
        if is_odd { odd.1 as u32 } else { even.1 as u32 }
    }

    /// The position of the largest term, the first of equal ones.
    fn largest_term(
        &self,
        weights: WeightSlot,
        factors: &[OriginFactor],
        arity: usize,
        lane: usize,
    ) -> usize {
        let weights = &self.packed.weights()[weights.0 as usize..];
        let terms = weights.iter().zip(factors.chunks_exact(arity));
        let terms = terms.map(|(&weight, factors)| {
            let lanes = factors.iter().map(|&(row, _)| self.tile.value(row)[lane]);
            lanes.fold(weight, |product, value| product * value)
        });
        let ranked = terms.zip(0..);
        ranked.fold((T::ZERO, 0), larger).1
    }

    /// The likeliest value of a leaf, whose table may be that of another variable.
    fn leaf_value(&mut self, id: (LeafId, usize), cell: &EvidenceCell) -> f64 {
        let (circuit, values) = (self.model.circuit(), self.parameters.values());
        let best = || best_value(circuit, values, circuit.leaf(id.0), cell);
        match cell {
            EvidenceCell::Missing | EvidenceCell::In(_) => {
                *self.modes.entry(id).or_insert_with(best)
            }
            EvidenceCell::Value(_) | EvidenceCell::Soft(_) => best(),
        }
    }
}

/// A number and its position, or a larger one.
#[inline(always)]
fn larger<T: KernelPrecision>(best: (T, usize), new: (T, usize)) -> (T, usize) {
    let is_larger = new.0 > best.0;
    (
        std::hint::select_unpredictable(is_larger, new.0, best.0),
        std::hint::select_unpredictable(is_larger, new.1, best.1),
    )
}
