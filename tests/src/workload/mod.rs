//! Random circuits and evidence for the engines.
//!
//! Unlike [`crate::random`] all circuits here are smooth and decomposable: they
//! are meant to be evaluated. Each is drawn in a [`Shape`]; every feature that a
//! kernel might get wrong is counted where it occurs.

mod draft;
mod draw;
mod evidence;
mod leaf;
mod regular;
mod soup;
mod stress;
mod weight;

pub use evidence::{EVIDENCE, EvidenceKind, cells_of, evidence, table};

use crate::dice::Dice;
use draft::Draft;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue, UnitId};
use std::collections::BTreeMap;

/// What kind of circuit is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Small, of anything.
    Soup,
    /// Decisions: deterministic.
    Decisions,
    /// Complete bipartite layers of sums.
    Blocks,
    /// A hidden Markov model.
    Chain,
    /// A mixture of hidden trees.
    Trees,
    /// One sum of many children.
    Wide,
    /// Much deeper than wide.
    Deep,
    /// Weights and values far below the range of numbers.
    Tiny,
}

/// How often each feature occurred.
pub type Features = BTreeMap<&'static str, usize>;

/// Features that occur in some of the circuits.
pub const FEATURES: &[&str] = &[
    "bernoulli",
    "binomial",
    "block with a gap",
    "blocks with shared weights",
    "categorical",
    "decision",
    "dense block",
    "depth of 1,000",
    "domain beyond tables",
    "domain of a table",
    "empty product",
    "exact zero",
    "exponential",
    "fixed beside learned",
    "fixed weights",
    "gamma",
    "geometric",
    "hidden Markov model",
    "histogram",
    "histogram of counts",
    "hypergeometric",
    "indicator of a set",
    "indicator of an interval",
    "indicator of counts",
    "laplace",
    "learned start",
    "learned without a start",
    "literal",
    "lognormal",
    "mixture of trees",
    "negative_binomial",
    "normal",
    "one weight on several edges",
    "one-child sum",
    "one-factor product",
    "poisson",
    "product of more",
    "product of two",
    "shared unit",
    "small range",
    "sum of 500 children",
    "tied parameter",
    "tiny probabilities",
    "truncated categorical",
    "truncated count",
    "truncated density",
    "truncated far out",
    "uniform",
    "uniform count",
    "unnormalised weights",
    "unused variable",
    "weight 1e-30",
    "weight exp(-1000)",
    "weights of several parameters",
];

/// A random circuit, with values for its parameters.
pub struct Workload {
    /// The circuit: smooth and decomposable.
    pub circuit: CircuitGraph,
    /// A value for every entry.
    pub values: Vec<ParameterValue>,
    /// Its shape.
    pub shape: Shape,
    /// What occurs in it.
    pub features: Features,
}

/// All shapes.
pub const SHAPES: [Shape; 8] = [
    Shape::Soup,
    Shape::Decisions,
    Shape::Blocks,
    Shape::Chain,
    Shape::Trees,
    Shape::Wide,
    Shape::Deep,
    Shape::Tiny,
];

/// Shapes with how many out of a hundred circuits have them.
const SHARES: [(Shape, usize); 8] = [
    (Shape::Soup, 58),
    (Shape::Decisions, 25),
    (Shape::Blocks, 5),
    (Shape::Chain, 4),
    (Shape::Trees, 4),
    (Shape::Wide, 1),
    (Shape::Deep, 1),
    (Shape::Tiny, 2),
];

/// The circuit of a seed.
pub fn workload(seed: u64) -> Workload {
    let mut dice = Dice::new(seed);
    let mut at = dice.below(100);
    let shape = SHARES.iter().find(|(_, share)| {
        let is_here = at < *share;
        at = at.saturating_sub(*share);
        is_here
    });
    workload_from(shape.expect("shares add up to 100").0, dice).0
}

/// The circuit of a seed in a given shape.
pub fn workload_of(shape: Shape, seed: u64) -> Workload {
    workload_from(shape, Dice::new(seed)).0
}

/// A circuit in a given shape, and the dice to go on with.
pub fn workload_from(shape: Shape, mut dice: Dice) -> (Workload, Dice) {
    if shape == Shape::Decisions {
        let sample = crate::random::deterministic(dice.below(1 << 30) as u64);
        return (Workload::new(sample.circuit, shape, sample.features), dice);
    }
    let mut draft = Draft::new(dice);
    let root: UnitId = match shape {
        Shape::Soup | Shape::Decisions => draft.soup(),
        Shape::Blocks => draft.blocks(),
        Shape::Chain => draft.chain(),
        Shape::Trees => draft.trees(),
        Shape::Wide => draft.wide(),
        Shape::Deep => draft.deep(),
        Shape::Tiny => draft.tiny(),
    };
    let (circuit, features, dice) = draft.finish(root);
    (Workload::new(circuit, shape, features), dice)
}

impl Workload {
    fn new(circuit: CircuitGraph, shape: Shape, features: Features) -> Self {
        let values = circuit.start_values();
        Workload {
            circuit,
            values,
            shape,
            features,
        }
    }
}
