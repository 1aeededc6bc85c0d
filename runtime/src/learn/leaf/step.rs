//! A step of all parameters of leaves that counts do not cover.

use super::outcome::LeafOutcome;
use super::plan::LeafPlan;
use super::ranges::ObservedRanges;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::flow::CircuitFlows;

/// What a step works with: flows, and how much pseudocounts and entropy weigh.
#[derive(Clone, Copy, Debug)]
pub struct LeafStep<'a> {
    /// The parameters.
    pub plan: &'a LeafPlan,
    /// The circuit that the plan and the flows are of.
    pub circuit: &'a CircuitGraph,
    /// Flows of all rows, added up.
    pub flows: &'a CircuitFlows,
    /// The values that the flows were computed with: normal leaves' moments are
    /// about their means.
    pub flow_values: &'a [ParameterValue],
    /// Counts of all entries: [`CircuitFlows::entries`] and what
    /// [`LeafPlan::add_counts`] adds to them.
    pub counts: &'a [f64],
    /// The pseudocount of a vector of probabilities.
    pub alpha: f64,
    /// The weight of all rows and of the pseudocount, M = N + α.
    pub mass: f64,
    /// The weight of the entropy.
    pub tau: f64,
    /// How often each leaf is reached, P, by leaf index; may be empty if `tau` is 0.
    pub reach: &'a [f64],
    /// Entropy of the edges of vectors that leaves and sums share.
    pub edges: EdgeTerms<'a>,
    /// Bounds of what has no maximum.
    pub ranges: &'a ObservedRanges,
    /// How often all parameters are gone through, unless Q stops rising before. One
    /// round is enough where steps follow each other.
    pub rounds: usize,
}

/// The entropy `Σ P·θ·(γ − log θ)` of edges, by entry: of sums, and of leaves that
/// are like sums ([`LeafPlan::sum_like`], Bernoulli and categorical leaves).
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeTerms<'a> {
    /// P, added up over an entry's uses; may be empty if entropy does not matter.
    pub reach: &'a [f64],
    /// γ, averaged over them.
    pub gamma: &'a [f64],
}

/// A round that raises Q by less than this part of the flow is the last.
const SMALL_GAIN: f64 = 1e-12;

impl LeafStep<'_> {
    /// Moves the parameters so that Q does not fall. Fixed ones stay, and so do
    /// those that nothing flows to. Where Q has several maxima it is a near one that
    /// is found.
    pub fn update(&self, values: &mut [ParameterValue]) -> LeafOutcome {
        let mut outcome = LeafOutcome::default();
        if self.plan.leaves.is_empty() {
            return outcome;
        }
        let statistics = self.statistics();
        let total: f64 = statistics.iter().map(|own| own.flow).sum();
        for _ in 0..self.rounds {
            outcome = LeafOutcome::default();
            let mut gain = 0.0;
            let scalars = self.plan.scalars.iter();
            for scalar in scalars.filter(|scalar| !scalar.is_follower) {
                gain += self.update_scalar(scalar, &statistics, values, &mut outcome);
            }
            let vectors = self.plan.vectors.iter();
            for vector in vectors.filter(|vector| !vector.is_counted(self.tau)) {
                gain += if vector.is_unit {
                    self.update_unit(vector, &statistics, values)
                } else {
                    self.update_simplex(vector, &statistics, values)
                };
            }
            if gain <= SMALL_GAIN * total {
                break;
            }
        }
        outcome
    }
}
