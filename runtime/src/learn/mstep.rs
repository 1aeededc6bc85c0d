//! The M-step: parameters that fit given flows best.
//!
//! Without entropy every vector of probabilities is its share of the flows. With
//! entropy, units are visited parents first: what is above a unit has its new
//! weights then and what is below its old ones, so that solving one vector after
//! the other is coordinate ascent, and the objective cannot fall. Vectors that
//! several units share are solved together afterwards; that is no exact ascent,
//! and their step is halved until the objective does not fall.

use super::entropy::Entropies;
use super::leaf::{LeafPlan, LeafStep, LeafOutcome, Ranges};
use super::ledger::{Ledger, LedgerKind, Vector};
use pelton_compiler::circuit::{Circuit, ParamId, Value};
use pelton_compiler::flow::Flows;
use pelton_compiler::kernel::SimplexSolver;

/// What an M-step fits parameters to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit<'a> {
    /// Flows of the rows.
    pub flows: &'a Flows,
    /// Weight of the rows, `N`.
    pub weight: f64,
    /// The pseudocount, `alpha`.
    pub pseudocount: f64,
    /// How much entropy counts, `tau`.
    pub tau: f64,
}

impl Fit<'_> {
    /// What shares are parts of, `N + alpha`.
    fn mass(&self) -> f64 {
        self.weight + self.pseudocount
    }
}

/// Buffers of M-steps of one circuit.
#[derive(Debug)]
pub(super) struct MStep<'c> {
    circuit: &'c Circuit,
    pub ledger: Ledger,
    leaves: LeafPlan,
    ranges: Ranges,
    solver: SimplexSolver,
    entropies: Entropies,
    /// How often each unit is reached, by position in the ledger.
    reach: Vec<f64>,
    /// Counts of all entries, those of leaves included.
    counts: Vec<f64>,
    /// Where the solver of each vector starts, by parameter.
    pub warm: Vec<f64>,
    shares: Vec<f64>,
    gains: Vec<f64>,
    solution: Vec<f64>,
    /// Whether several units share a vector with something to learn.
    has_tied: bool,
    /// Parameters that were at a bound in the last step.
    pub outcome: LeafOutcome,
}
