//! Samples, free or under a condition.

mod columns;
mod rows;

pub use rows::sample_rows;

use super::Gap;
use super::boxes::given_boxes;
use crate::data::Table;
use crate::model::{Model, Parameters, Walk, spread};
use columns::Columns;
use pelton_compiler::choice::Choice;
use pelton_compiler::circuit::{Circuit, Event};
use pelton_compiler::reference::{Cell, RowLog};
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
#[must_use]
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
            let cells = part.cells(circuit);
            let walk = Walk::new(circuit, values, &cells);
            if !walk.log_value.is_zero() {
                if walk.reaches_beyond {
                    return Err(Gap::TooLarge);
                }
                logs.push(walk.log_value);
                let walk = is_single.then_some(walk);
                parts.push(Part { cells, walk });
            }
        }
        match parts.is_empty() {
            true => Err(Gap::of_given(given)),
            false => Ok(Sampler {
                circuit,
                parameters,
                parts,
                choice: Choice::from_logs(&RowLog::relative(&logs)),
            }),
        }
    }

    /// The samples of these numbers. They depend on their number and the seed alone:
    /// `0..20` are the same as `0..10` and `10..20`.
    pub fn draw(&self, samples: Range<usize>, seed: u64, threads: usize) -> Table {
        let shards: Vec<Shard> = match samples.is_empty() {
            true => Vec::new(),
            false => (samples.start / SHARD..=(samples.end - 1) / SHARD)
                .map(|number| Shard {
                    number,
                    n: SHARD.min(samples.end - number * SHARD),
                    seed,
                })
                .collect(),
        };
        let new = |shard: &Shard| Columns::new(self.circuit, shard.n);
        let mut drawn: Vec<Columns> = shards.iter().map(new).collect();
        for (at, part) in self.parts.iter().enumerate() {
            let new = || Walk::new(self.circuit, self.parameters.values(), &part.cells);
            let own = part.walk.is_none().then(new);
            let walk = part.walk.as_ref().or(own.as_ref());
            let walk = walk.expect("a part without a walk was given its own");
            let found = spread(&shards, threads, Vec::new, |pending, shard| {
                self.shard((walk, at), shard, pending)
            });
            let pairs = drawn.iter_mut().zip(found);
            pairs.for_each(|(all, own)| all.take(own));
        }
        let skipped = samples.start % SHARD;
        Columns::joined(self.circuit, drawn).into_table(skipped..skipped + samples.len())
    }

    /// The first samples of a shard that fall into one of the boxes.
    fn shard(
        &self,
        (walk, at): (&Walk<'_>, usize),
        shard: &Shard,
        pending: &mut Vec<u32>,
    ) -> Columns {
        let n_streams = self.parts.len() as u64 + 1;
        let stream = |kind: u64| {
            let mut random = ChaCha8Rng::seed_from_u64(shard.seed);
            random.set_stream(shard.number as u64 * n_streams + kind);
            random
        };
        let (mut choosing, mut drawing) = (stream(0), stream(at as u64 + 1));
        let mut columns = Columns::new(self.circuit, shard.n);
        let mut values = vec![f64::NAN; self.circuit.variables().len()];
        for row in 0..shard.n {
            if self.parts.len() == 1 || self.choice.draw(&mut choosing) == at {
                walk.draw(&mut drawing, pending, &mut values);
                columns.set(row, &values);
            }
        }
        columns
    }
}

/// Samples that share a stream.
struct Shard {
    number: usize,
    n: usize,
    seed: u64,
}

impl std::fmt::Debug for Sampler<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampler").finish_non_exhaustive()
    }
}
