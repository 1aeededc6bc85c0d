//! A step of all parameters of leaves that counts do not cover.

use super::outcome::LeafOutcome;
use super::plan::LeafPlan;
use super::ranges::ObservedRanges;
use super::statistics::LeafStatistics;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::flow::CircuitFlows;

/// What a step works with: flows, and how much pseudocounts and entropy weigh.
#[derive(Clone, Copy, Debug)]
pub struct LeafStep<'a> {
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

/// A step under way: with what flows say of leaves, which is found once, because flows do not
/// change.
pub(super) struct LeafAscent<'a> {
    step: LeafStep<'a>,
    /// By position among the planned leaves.
    pub statistics: Vec<LeafStatistics>,
}

impl<'a> LeafAscent<'a> {
    pub fn of(step: &LeafStep<'a>) -> Self {
        let of = |leaf| LeafStatistics::of(step.circuit, step.flow_values, step.flows, leaf);
        LeafAscent {
            statistics: step.plan.leaves.iter().map(of).collect(),
            step: *step,
        }
    }
}

impl<'a> std::ops::Deref for LeafAscent<'a> {
    type Target = LeafStep<'a>;

    fn deref(&self) -> &LeafStep<'a> {
        &self.step
    }
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
        let ascent = LeafAscent::of(self);
        let total: f64 = ascent.statistics.iter().map(|own| own.flow).sum();
        for _ in 0..self.rounds {
            outcome = LeafOutcome::default();
            let mut gain = 0.0;
            // 1. One number after the other, each where Q is largest given all others.
            let scalars = self.plan.scalars.iter();
            for scalar in scalars.filter(|scalar| !scalar.is_follower) {
                gain += ascent.update_scalar(scalar, values, &mut outcome);
            }
            // 2. Probabilities that counts do not say all about.
            let vectors = self.plan.vectors.iter();
            for vector in vectors.filter(|vector| !vector.is_counted(self.tau)) {
                gain += if vector.is_unit {
                    ascent.update_unit(vector, values)
                } else {
                    ascent.update_simplex(vector, values)
                };
            }
            if gain <= SMALL_GAIN * total {
                break;
            }
        }
        outcome
    }
}
