//! The most probable completion of rows.
//!
//! A pass with maxima in place of sums, then down from the root: into the
//! largest term of every sum and all factors of every product. Leaves and rows of
//! evidence that are reached say what their variable is.

use super::careful::{Careful, log_value};
use super::fill::{cells, fill};
use super::origin::Origin;
use super::parameters::{Parameters, Precise};
use super::shards::{shards, spread};
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
    /// Modes of leaves that were asked for.
    modes: HashMap<(LeafId, usize), f64>,
}

impl<'a, T: Precise> Worker<'a, T> {
    fn new(model: &'a Model, parameters: &'a Parameters) -> Self {
        Worker {
            model,
            parameters,
            packed: parameters.packed(model, Purpose::Max),
            tile: Tile::new(model.full().plan().clone()),
            careful: None,
            modes: HashMap::new(),
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
        let lost = match flags.underflow {
            true => u64::MAX,
            false => self.tile.lost(),
        };
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
        let cells = cells(model.circuit(), table, self.parameters.known(), row);
        let mut completion = Completion {
            log_value,
            values: cells.iter().map(Cell::observed).collect(),
        };
        if log_value == f64::NEG_INFINITY {
            return completion;
        }
        let mut pending = vec![self.tile.plan().root()];
        while let Some(row) = pending.pop() {
            match &model.origins()[row.0 as usize] {
                Origin::Constant => {}
                Origin::Literal { variable, code } => {
                    let first = model.circuit().variable(*variable).domain.first();
                    completion.values[variable.index()] = first + f64::from(*code);
                }
                Origin::Product(factors) => pending.extend(factors),
                Origin::Terms { .. } => self.choose(row, lane, &mut pending),
                Origin::Leaf { leaf, variable } => {
                    let at = variable.index();
                    completion.values[at] = self.leaf_value((*leaf, at), &cells[at]);
                }
            }
        }
        completion
    }

    /// Adds the factors of a sum's largest term, the first of equal ones.
    fn choose(&self, row: Row, lane: usize, pending: &mut Vec<Row>) {
        let Origin::Terms {
            weights,
            arity,
            factors,
        } = &self.model.origins()[row.0 as usize]
        else {
            return;
        };
        let mut best = (T::ZERO, 0);
        for term in 0..factors.len() / arity {
            let mut value = self.packed.weights()[weights.0 as usize + term];
            for factor in 0..*arity {
                let row = factors.row(term * arity + factor);
                value *= self.tile.value(row)[lane];
            }
            if value > best.0 {
                best = (value, term);
            }
        }
        let chosen = (0..*arity).map(|factor| factors.row(best.1 * arity + factor));
        pending.extend(chosen);
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
