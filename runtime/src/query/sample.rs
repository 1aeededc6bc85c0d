//! Samples, free or under a condition.

mod columns;
mod rows;

pub use rows::sample_rows;

use super::QueryFailure;
use super::boxes::given_boxes;
use crate::data::Table;
use crate::model::{Model, Parameters, SamplingWalk, spread};
use columns::SampleColumns;
use pelton_compiler::choice::AliasTable;
use pelton_compiler::circuit::{CircuitGraph, Event};
use pelton_compiler::reference::{EvidenceCell, RowLog};
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
/// # use pelton_compiler::{AnalysisOptions, analyze, load::{FileLoader, SourceInput}, lower::ask_given};
/// # use pelton_runtime::{Model, ModelOptions, query::CircuitSampler};
/// let text = "var rain, wet : bool;
///     root 0.3: rain * (0.9: wet + 0.1: !wet) + 0.7: !rain * (0.2: wet + 0.8: !wet);";
/// # let input = SourceInput { name: "example".into(), path: None, bytes: text.into() };
/// let checked = analyze(input, &FileLoader, &AnalysisOptions::default()).into_checked().unwrap();
/// let given = ask_given(checked.circuit(), "wet").unwrap();
/// let model = Model::compile(checked, &ModelOptions::default()).unwrap();
/// let parameters = model.start_parameters();
/// let sampler = CircuitSampler::new(&model, &parameters, &given).unwrap();
/// let table = sampler.draw(0..1000, 1, 1);
/// assert_eq!(table, sampler.draw(0..1000, 1, 2));
/// ```
#[must_use]
pub struct CircuitSampler<'a> {
    circuit: &'a CircuitGraph,
    parameters: &'a Parameters,
    parts: Vec<SamplerBox<'a>>,
    choice: AliasTable,
}

/// A box of what is given.
struct SamplerBox<'a> {
    cells: Vec<EvidenceCell>,
    /// Kept if there is only one; many of them would take too much memory.
    walk: Option<SamplingWalk<'a>>,
}

impl<'a> CircuitSampler<'a> {
    /// Prepares to draw, if what is given is possible.
    pub fn new(
        model: &'a Model,
        parameters: &'a Parameters,
        given: &Event,
    ) -> Result<Self, QueryFailure> {
        let (circuit, values) = (model.circuit(), parameters.values());
        let boxes = given_boxes(circuit, given)?;
        let is_single = boxes.len() == 1;
        let (mut parts, mut logs) = (Vec::new(), Vec::new());
        for part in &boxes {
            let cells = part.cells(circuit);
            let walk = SamplingWalk::new(circuit, values, &cells);
            if !walk.log_value.is_zero() {
                if walk.reaches_beyond {
                    return Err(QueryFailure::TooLarge);
                }
                logs.push(walk.log_value);
                let walk = is_single.then_some(walk);
                parts.push(SamplerBox { cells, walk });
            }
        }
        if parts.is_empty() {
            return Err(QueryFailure::of_given(given));
        }
        Ok(CircuitSampler {
            circuit,
            parameters,
            parts,
            choice: AliasTable::from_logs(&RowLog::relative(&logs)),
        })
    }

    /// The samples of these numbers. They depend on their number and the seed alone:
    /// `0..20` are the same as `0..10` and `10..20`.
    pub fn draw(&self, samples: Range<usize>, seed: u64, threads: usize) -> Table {
        // Whole shards, up to the last sample: those before the first are drawn and left out.
        let numbers = samples.start / SHARD..samples.end.div_ceil(SHARD);
        let numbers = numbers.filter(|_| !samples.is_empty());
        let shards = numbers.map(|number| SampleShard {
            number,
            n: SHARD.min(samples.end - number * SHARD),
            seed,
        });
        let shards: Vec<SampleShard> = shards.collect();
        let new = |shard: &SampleShard| SampleColumns::new(self.circuit, shard.n);
        let mut drawn: Vec<SampleColumns> = shards.iter().map(new).collect();
        for (at, part) in self.parts.iter().enumerate() {
            let new = || SamplingWalk::new(self.circuit, self.parameters.values(), &part.cells);
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
        SampleColumns::joined(self.circuit, drawn).into_table(skipped..skipped + samples.len())
    }

    /// The first samples of a shard that fall into one of the boxes.
    fn shard(
        &self,
        (walk, at): (&SamplingWalk<'_>, usize),
        shard: &SampleShard,
        pending: &mut Vec<u32>,
    ) -> SampleColumns {
        let n_streams = self.parts.len() as u64 + 1;
        let stream = |kind: u64| {
            let mut random = ChaCha8Rng::seed_from_u64(shard.seed);
            random.set_stream(shard.number as u64 * n_streams + kind);
            random
        };
        let (mut choosing, mut drawing) = (stream(0), stream(at as u64 + 1));
        let mut columns = SampleColumns::new(self.circuit, shard.n);
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

struct SampleShard {
    number: usize,
    n: usize,
    seed: u64,
}

impl std::fmt::Debug for CircuitSampler<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampler").finish_non_exhaustive()
    }
}
