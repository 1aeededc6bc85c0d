//! Samples, free or under a condition.

use super::Gap;
use super::boxes::Box;
use super::overlay::Overlay;
use super::region::{evidence, given_boxes};
use super::rows::log_masses;
use crate::data::{Column, Table};
use crate::model::{DrawOptions, Model, Parameters, Walk, draws, spread};
use pelton_compiler::choice::Choice;
use pelton_compiler::circuit::{Circuit, Event, Variable};
use pelton_compiler::evaluate::Cell;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// Samples that share a stream of random numbers. Streams are numbered by samples alone,
/// so that results depend neither on threads nor on how many are drawn at a time.
const SHARD: usize = 4096;

/// Draws samples of all variables, given an event.
///
/// The event's mass is computed once, linear in the circuit's edges; a sample then only
/// walks from the root to one leaf for each variable.
///
/// ```
/// # use pelton_compiler::{Options, analyze, load::{FileLoader, Input}, lower::ask_given};
/// # use pelton_runtime::{Model, ModelOptions, query::Sampler};
/// let text = "var rain, wet : bool;
///     root 0.3: rain * (0.9: wet + 0.1: !wet) + 0.7: !rain * (0.2: wet + 0.8: !wet);";
/// # let input = Input { name: "example".into(), path: None, bytes: text.into() };
/// let checked = analyze(input, &FileLoader, &Options::default()).into_checked().unwrap();
/// let given = ask_given(checked.circuit(), "wet").unwrap();
/// let model = Model::compile(checked, &ModelOptions::default()).unwrap();
/// let parameters = model.start_parameters();
/// let sampler = Sampler::new(&model, &parameters, &given).unwrap();
/// let table = sampler.draw(0..1000, 1, 1);
/// assert_eq!(table, sampler.draw(0..1000, 1, 2));
/// ```
pub struct Sampler<'a> {
    circuit: &'a Circuit,
    parameters: &'a Parameters,
    parts: Vec<Part<'a>>,
    choice: Choice,
}

/// A box of what is given.
struct Part<'a> {
    cells: Vec<Cell>,
    /// Kept if there is only one; many of them would take too much memory.
    walk: Option<Walk<'a>>,
}

impl<'a> Sampler<'a> {
    /// Prepares to draw, if what is given is possible.
    pub fn new(model: &'a Model, parameters: &'a Parameters, given: &Event) -> Result<Self, Gap> {
        let (circuit, values) = (model.circuit(), parameters.values());
        let boxes = given_boxes(circuit, given)?;
        let is_single = boxes.len() == 1;
        let (mut parts, mut logs) = (Vec::new(), Vec::new());
        for part in &boxes {
            let cells = evidence(circuit, part).cells();
            let walk = Walk::new(circuit, values, &cells);
            if walk.log_value > f64::NEG_INFINITY {
                logs.push(walk.log_value);
                let walk = is_single.then_some(walk);
                parts.push(Part { cells, walk });
            }
        }
        match parts.is_empty() {
            true => Err(Gap::ImpossibleGiven),
            false => Ok(Sampler {
                circuit,
                parameters,
                parts,
                choice: Choice::from_logs(&logs),
            }),
        }
    }

    /// The samples of these numbers. They depend on their number and the seed alone:
    /// `0..20` are the same as `0..10` and `10..20`.
    pub fn draw(&self, samples: Range<usize>, seed: u64, threads: usize) -> Table {
        let shards: Vec<usize> = match samples.is_empty() {
            true => Vec::new(),
            false => (samples.start / SHARD..=(samples.end - 1) / SHARD).collect(),
        };
        let mut drawn: Vec<Columns> = shards
            .iter()
            .map(|&shard| {
                let all = shard * SHARD..(shard + 1) * SHARD;
                Columns::new(self.circuit, all.end.min(samples.end) - all.start)
            })
            .collect();
        for at in 0..self.parts.len() {
            let part = &self.parts[at];
            let new = || Walk::new(self.circuit, self.parameters.values(), &part.cells);
            let own = part.walk.is_none().then(new);
            let Some(walk) = part.walk.as_ref().or(own.as_ref()) else {
                continue;
            };
            let jobs: Vec<(usize, usize)> = shards
                .iter()
                .zip(&drawn)
                .map(|(&shard, columns)| (shard, columns.n_rows))
                .collect();
            let found = spread(&jobs, threads, Vec::new, |pending, &(shard, n)| {
                self.shard((walk, at), shard, n, seed, pending)
            });
            match self.parts.len() {
                1 => drawn = found,
                _ => drawn
                    .iter_mut()
                    .zip(found)
                    .for_each(|(all, own)| all.take(&own)),
            }
        }
        let skipped = samples.start % SHARD;
        Columns::joined(self.circuit, drawn).into_table(skipped..skipped + samples.len())
    }

    /// The first samples of a shard that fall into one of the boxes.
    fn shard(
        &self,
        (walk, at): (&Walk<'_>, usize),
        shard: usize,
        n: usize,
        seed: u64,
        pending: &mut Vec<u32>,
    ) -> Columns {
        let n_streams = self.parts.len() as u64 + 1;
        let stream = |kind: u64| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(shard as u64 * n_streams + kind);
            random
        };
        let (mut choosing, mut drawing) = (stream(0), stream(at as u64 + 1));
        let mut columns = Columns::new(self.circuit, n);
        let mut values = vec![f64::NAN; self.circuit.variables().len()];
        for row in 0..n {
            if self.parts.len() == 1 || self.choice.draw(&mut choosing) == at {
                walk.draw(&mut drawing, pending, &mut values);
                columns.set(row, &values);
            }
        }
        columns
    }
}

impl std::fmt::Debug for Sampler<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampler").finish_non_exhaustive()
    }
}

/// For each row of a table `n_each` samples of what it goes with, given an event; nothing
/// for a row that is impossible. What is drawn for a row depends on its number, counted
/// from `first_row`, and the seed alone.
pub fn sample_rows(
    model: &Model,
    parameters: &Parameters,
    given: &Event,
    table: &Table,
    options: &RowSampling,
) -> Result<Vec<Option<Vec<Vec<f64>>>>, Gap> {
    let n_variables = model.circuit().variables().len();
    let boxes = given_boxes(model.circuit(), given)?;
    let mut logs = vec![Vec::new(); table.n_rows()];
    if boxes.len() > 1 {
        for part in &boxes {
            let (_, own) = log_masses(model, parameters, part, table, options.threads);
            logs.iter_mut()
                .zip(own)
                .for_each(|(logs, log)| logs.push(log));
        }
    }
    let chosen = choose_boxes(&logs, options);
    let mut all: Vec<Option<Vec<Vec<f64>>>> = vec![None; table.n_rows()];
    for (at, part) in boxes.iter().enumerate() {
        let found = draw_box(model, parameters, part, table, options);
        for (row, own) in found.into_iter().enumerate() {
            let Some(own) = own else { continue };
            let samples = own.chunks_exact(n_variables.max(1)).enumerate();
            let is_own = |sample: usize| boxes.len() == 1 || chosen[row][sample] == at;
            for (sample, values) in samples.filter(|(sample, _)| is_own(*sample)) {
                let rows = all[row].get_or_insert_with(|| vec![Vec::new(); options.n_each]);
                rows[sample] = values.to_vec();
            }
        }
    }
    Ok(all)
}

/// How rows are sampled.
#[derive(Clone, Copy, Debug)]
pub struct RowSampling {
    /// Samples for each row.
    pub n_each: usize,
    /// What is drawn depends on this and on the row's number alone.
    pub seed: u64,
    /// The number of the table's first row.
    pub first_row: u64,
    /// Threads; 0 takes as many as there are cores.
    pub threads: usize,
}

/// Which box each sample of each row falls into.
fn choose_boxes(logs: &[Vec<f64>], options: &RowSampling) -> Vec<Vec<usize>> {
    let rows = logs.iter().enumerate().map(|(row, logs)| {
        let is_possible = logs.iter().any(|&log| log > f64::NEG_INFINITY);
        if !is_possible {
            return vec![0; options.n_each];
        }
        let choice = Choice::from_logs(logs);
        let mut random = ChaCha8Rng::seed_from_u64(options.seed ^ u64::from_be_bytes(*b"in a box"));
        random.set_stream(options.first_row + row as u64);
        (0..options.n_each)
            .map(|_| choice.draw(&mut random))
            .collect()
    });
    rows.collect()
}

fn draw_box(
    model: &Model,
    parameters: &Parameters,
    part: &Box,
    table: &Table,
    options: &RowSampling,
) -> Vec<Option<Vec<f64>>> {
    let overlay = Overlay::new(model.circuit(), table, part);
    let parameters = parameters.within(overlay.within.clone());
    let options = DrawOptions {
        n_each: options.n_each,
        seed: options.seed,
        first_row: options.first_row,
        threads: options.threads,
    };
    let mut found = draws(model, &parameters, &overlay.table, &options);
    for (row, own) in found.iter_mut().enumerate() {
        if !overlay.is_possible(row) {
            *own = None;
        }
    }
    found
}

/// Columns that are filled in any order; what is not filled is missing.
struct Columns {
    columns: Vec<Column>,
    firsts: Vec<f64>,
    n_rows: usize,
    filled: Vec<bool>,
}

impl Columns {
    fn new(circuit: &Circuit, n_rows: usize) -> Self {
        let column = |variable: &Variable| {
            let mut column = Column::for_domain(&variable.domain);
            (0..n_rows).for_each(|_| column.push(f64::NAN, 0.0));
            column
        };
        let variables = circuit.variables().iter();
        Columns {
            columns: variables.clone().map(column).collect(),
            firsts: variables.map(|variable| variable.domain.first()).collect(),
            n_rows,
            filled: vec![false; n_rows],
        }
    }

    fn set(&mut self, row: usize, values: &[f64]) {
        self.filled[row] = true;
        for ((column, &x), first) in self.columns.iter_mut().zip(values).zip(&self.firsts) {
            match column {
                _ if x.is_nan() => {}
                Column::Small(cells) => cells[row] = (x - first) as u8,
                Column::Codes(cells) => cells[row] = (x - first) as u32,
                Column::Reals(cells) => cells[row] = x,
                Column::Missing | Column::Soft { .. } => {}
            }
        }
    }

    /// Takes over the rows that another has filled.
    fn take(&mut self, other: &Columns) {
        for row in (0..self.n_rows).filter(|&row| other.filled[row]) {
            self.filled[row] = true;
            for (own, theirs) in self.columns.iter_mut().zip(&other.columns) {
                match (own, theirs) {
                    (Column::Small(own), Column::Small(theirs)) => own[row] = theirs[row],
                    (Column::Codes(own), Column::Codes(theirs)) => own[row] = theirs[row],
                    (Column::Reals(own), Column::Reals(theirs)) => own[row] = theirs[row],
                    _ => {}
                }
            }
        }
    }

    fn joined(circuit: &Circuit, parts: Vec<Columns>) -> Columns {
        let mut all = Columns::new(circuit, 0);
        for part in parts {
            all.n_rows += part.n_rows;
            for (own, theirs) in all.columns.iter_mut().zip(part.columns) {
                match (own, theirs) {
                    (Column::Small(own), Column::Small(theirs)) => own.extend(theirs),
                    (Column::Codes(own), Column::Codes(theirs)) => own.extend(theirs),
                    (Column::Reals(own), Column::Reals(theirs)) => own.extend(theirs),
                    _ => {}
                }
            }
        }
        all
    }

    fn into_table(self, rows: Range<usize>) -> Table {
        let is_all = rows == (0..self.n_rows);
        let table = Table::new(self.n_rows, self.columns);
        if is_all { table } else { table.slice(rows) }
    }
}
