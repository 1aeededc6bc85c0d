//! The most probable completion of rows.
//!
//! A pass with maxima in place of sums, then down from the root: into the
//! largest term of every sum and all factors of every product. Leaves and rows of
//! evidence that are reached say what their variable is.

use super::careful::{Careful, log_value};
use super::fill::{cell, cells, fill, observed};
use super::origin::{Factors, Origin};
use super::parameters::{Parameters, Precise};
use super::shards::{shards, spread};
use super::trust::Trust;
use super::{Model, Precision, with_precision};
use crate::data::Table;
use pelton_compiler::circuit::LeafId;
use pelton_compiler::evaluate::{Cell, Completion, best_value, complete};
use pelton_compiler::kernel::{Packed, Pass, Purpose, Tile};
use pelton_compiler::plan::Row;
use std::collections::HashMap;
use std::ops::Range;

/// Rows of one job.
const JOB_TILES: usize = 4;

pub(super) fn completions(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    threads: usize,
) -> Vec<Completion> {
    match table.n_rows() {
        0 => Vec::new(),
        _ => with_precision!(model, run(model, parameters, table, threads)),
    }
}

fn run<T: Precise>(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    threads: usize,
) -> Vec<Completion> {
    let n_jobs = table.n_rows().div_ceil(T::LANES * JOB_TILES);
    let jobs = shards(table.n_rows(), T::LANES, n_jobs);
    let new_worker = || Worker::<T>::new(model, parameters);
    let parts = spread(&jobs, threads, new_worker, |worker, rows| {
        worker.rows(table, rows.clone())
    });
    parts.into_iter().flatten().collect()
}

struct Worker<'a, T: Precise> {
    model: &'a Model,
    parameters: &'a Parameters,
    packed: &'a Packed<T>,
    tile: Tile<T>,
    careful: Option<Careful<'a, T>>,
    trust: Trust,
    /// Modes of leaves that were asked for.
    modes: HashMap<(LeafId, usize), f64>,
    /// Rows that are still to be followed.
    pending: Vec<Row>,
}

impl<'a, T: Precise> Worker<'a, T> {
    fn new(model: &'a Model, parameters: &'a Parameters) -> Self {
        Worker {
            model,
            parameters,
            packed: parameters.packed(model, Purpose::Max),
            tile: Tile::new(model.full().plan().clone()),
            careful: None,
            trust: parameters.trust::<T>(model, Purpose::Max),
            modes: HashMap::new(),
            pending: Vec::new(),
        }
    }

    fn rows(&mut self, table: &Table, rows: Range<usize>) -> Vec<Completion> {
        let by_reference = self.model.is_reference(table) || !self.packed.is_faithful();
        let mut completions = Vec::with_capacity(rows.len());
        for first in rows.clone().step_by(T::LANES) {
            let tile = first..rows.end.min(first + T::LANES);
            match by_reference {
                true => completions.extend(tile.map(|row| self.by_reference(table, row))),
                false => self.tile(table, tile, &mut completions),
            }
        }
        completions
    }

    fn by_reference(&self, table: &Table, row: usize) -> Completion {
        let circuit = self.model.circuit();
        let cells = cells(circuit, table, self.parameters.known(), row);
        complete(circuit, self.parameters.values(), &cells)
    }

    fn tile(&mut self, table: &Table, rows: Range<usize>, completions: &mut Vec<Completion>) {
        let within = self.parameters.known();
        fill(
            &mut self.tile,
            self.model.circuit(),
            table,
            within,
            rows.start,
        );
        let program = self.model.full();
        let flags = self.tile.run(program, self.packed, Pass::Max);
        let root = self.tile.value(program.plan().root());
        let trust = self.trust.with(table);
        let vouched = |lane: usize| trust.vouches(root[lane], self.tile.root_exponent(lane));
        let lost = match flags.underflow {
            true => u64::MAX,
            false => self.tile.lost(),
        };
        let open = (0..rows.len()).filter(|&lane| lost >> lane & 1 == 1 && !vouched(lane));
        let lost = open.fold(0_u64, |mask, lane| mask | 1 << lane);
        let bounds = (lost != 0).then(|| {
            let careful = self
                .careful
                .get_or_insert_with(|| Careful::new(self.model, self.parameters, Purpose::Max));
            careful.bounds(table, rows.start)
        });
        for (lane, row) in rows.enumerate() {
            let root = self.tile.value(program.plan().root())[lane];
            let log = log_value(root, self.tile.root_exponent(lane));
            let bound = bounds.as_ref().map(|bounds| bounds[lane]);
            let is_lost = lost >> lane & 1 == 1 && bound.is_some_and(|b| !b.is_below(log));
            completions.push(match is_lost || log.is_nan() || log == f64::INFINITY {
                true => self.by_reference(table, row),
                false => self.follow(table, lane, row, log),
            });
        }
    }

    /// Follows the largest terms down from the root.
    fn follow(&mut self, table: &Table, lane: usize, row: usize, log_value: f64) -> Completion {
        let model = self.model;
        let (circuit, within) = (model.circuit(), self.parameters.known());
        let mut completion = Completion {
            log_value,
            values: observed(circuit, table, row),
        };
        if log_value == f64::NEG_INFINITY {
            return completion;
        }
        let origins = model.origins();
        self.pending.push(self.tile.plan().root());
        while let Some(at) = self.pending.pop() {
            match &origins[at.0 as usize] {
                Origin::Constant => {}
                Origin::Literal { variable, code } => {
                    let first = circuit.variable(*variable).domain.first();
                    completion.values[variable.index()] = first + f64::from(*code);
                }
                Origin::Product(factors) => self.pending.extend(factors),
                Origin::Terms {
                    weights,
                    arity,
                    factors,
                } => {
                    let term = self.largest(weights.0 as usize, *arity, factors, lane);
                    let chosen = (0..*arity).map(|factor| factors.row(term * arity + factor));
                    self.pending.extend(chosen);
                }
                Origin::Leaf { leaf, variable } => {
                    let cell = cell(circuit, table, within, (row, *variable));
                    let at = variable.index();
                    completion.values[at] = self.leaf_value((*leaf, at), &cell);
                }
            }
        }
        completion
    }

    /// The position of a sum's largest term, the first of equal ones.
    fn largest(&self, weights: usize, arity: usize, factors: &Factors, lane: usize) -> usize {
        let weights = &self.packed.weights()[weights..][..factors.len() / arity];
        match factors {
            Factors::Run { first, n } => {
                let rows = self.tile.values(*first, *n).chunks_exact(T::LANES);
                largest(weights.iter().zip(rows).map(|(&w, row)| w * row[lane]))
            }
            Factors::List(rows) => {
                let terms = weights.iter().zip(rows.chunks_exact(arity));
                largest(terms.map(|(&weight, rows)| {
                    let lanes = rows.iter().map(|&row| self.tile.value(Row(row))[lane]);
                    lanes.fold(weight, |product, value| product * value)
                }))
            }
        }
    }

    /// The likeliest value of a leaf, whose table may be that of another variable.
    fn leaf_value(&mut self, id: (LeafId, usize), cell: &Cell) -> f64 {
        let (circuit, values) = (self.model.circuit(), self.parameters.values());
        let best = || best_value(circuit, values, circuit.leaf(id.0), cell);
        match cell {
            Cell::Missing | Cell::In(_) => *self.modes.entry(id).or_insert_with(best),
            Cell::Value(_) | Cell::Soft(_) => best(),
        }
    }
}

/// The position of the largest number, the first of equal ones. Which one it is cannot be
/// foreseen, so that both outcomes of a comparison are selected from, not branched to.
#[inline]
fn largest<T: Precise>(numbers: impl Iterator<Item = T>) -> usize {
    let (mut best, mut position) = (T::ZERO, 0);
    for (at, number) in numbers.enumerate() {
        let is_larger = number > best;
        best = std::hint::select_unpredictable(is_larger, number, best);
        position = std::hint::select_unpredictable(is_larger, at, position);
    }
    position
}
