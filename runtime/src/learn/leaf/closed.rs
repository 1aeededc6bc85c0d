//! Closed forms: where Q is largest for one number, the others given.
//!
//! They hold for leaves that are not truncated. For others they are where the
//! search begins.

use super::gamma::{inverse_digamma, shape_of_gap};
use super::plan::{Density, LeafScalar, Role};
use super::statistics::Statistics;
use super::step::LeafStep;
use pelton_compiler::circuit::Value;

impl LeafStep<'_> {
    /// Where the closed form is: perhaps 0 or infinite, and NaN if it says nothing.
    pub(super) fn closed_form(
        &self,
        scalar: &LeafScalar,
        statistics: &[Statistics],
        values: &[Value],
    ) -> f64 {
        match scalar.role {
            Role::Mean => self.mean(scalar, statistics, values),
            Role::Spread => self.spread(scalar, statistics, values),
            Role::Rate | Role::PairedRate => self.rate(scalar, statistics, values),
            Role::Shape => self.shape(scalar, statistics, values),
            Role::PairedShape(_) => self.paired_shape(scalar, statistics),
            Role::Mixed => f64::NAN,
        }
    }

    /// Whether the closed form is the maximum.
    pub(super) fn is_closed(&self, scalar: &LeafScalar) -> bool {
        let has_entropy = |leaf: usize| self.entropy_weight(leaf) > 0.0;
        let mut leaves = self.plan.leaves_of(&scalar.uses);
        scalar.is_plain
            && match scalar.role {
                Role::Mean | Role::Spread => true,
                Role::Rate | Role::PairedRate => !leaves.any(|leaf| {
                    self.plan.leaves[leaf].family == Density::Poisson && has_entropy(leaf)
                }),
                Role::Shape | Role::PairedShape(_) => !leaves.any(has_entropy),
                Role::Mixed => false,
            }
    }

    /// Means weighted by precision. All leaves were centred at the same value. The
    /// entropy of `lognormal` also grows with its mean.
    fn mean(&self, scalar: &LeafScalar, statistics: &[Statistics], values: &[Value]) -> f64 {
        let sd = |leaf: usize| values[self.plan.leaves[leaf].entries[1]].linear();
        let leaves = || self.plan.leaves_of(&scalar.uses);
        let narrowest = leaves().map(sd).fold(f64::INFINITY, f64::min);
        let (mut flow, mut distance, mut centre) = (0.0, 0.0, 0.0);
        for leaf in leaves() {
            let own = &statistics[leaf];
            let precision = (narrowest / sd(leaf)).powi(2);
            flow += precision * own.flow;
            distance += precision * own.first;
            if own.flow > 0.0 {
                centre = own.centre;
            }
            if self.plan.leaves[leaf].family == Density::LogNormal {
                distance += self.entropy_weight(leaf) * narrowest * narrowest;
            }
        }
        centre + distance / flow
    }

    fn spread(&self, scalar: &LeafScalar, statistics: &[Statistics], values: &[Value]) -> f64 {
        let (mut flow, mut squares) = (0.0, 0.0);
        for leaf in self.plan.leaves_of(&scalar.uses) {
            let mean = values[self.plan.leaves[leaf].entries[0]].linear();
            flow += statistics[leaf].flow - self.entropy_weight(leaf);
            squares += statistics[leaf].squares(mean);
        }
        match flow > 0.0 {
            true => (squares / flow).sqrt(),
            false => f64::INFINITY,
        }
    }

    /// Q is `events · ln rate - time · rate` for all families with rates, if
    /// `poisson` has no entropy.
    fn rate(&self, scalar: &LeafScalar, statistics: &[Statistics], values: &[Value]) -> f64 {
        let (mut events, mut time) = (0.0, 0.0);
        for leaf in self.plan.leaves_of(&scalar.uses) {
            let (planned, own) = (&self.plan.leaves[leaf], &statistics[leaf]);
            let (own_events, own_time) = match planned.family {
                Density::Poisson => (own.first, own.flow),
                Density::Gamma => {
                    let shape = values[planned.entries[0]].linear();
                    let entropy = self.entropy_weight(leaf);
                    (own.flow * shape - entropy, own.first)
                }
                _ => (own.flow - self.entropy_weight(leaf), own.first),
            };
            events += own_events;
            time += own_time;
        }
        events.max(0.0) / time
    }

    /// The shape for given rates.
    fn shape(&self, scalar: &LeafScalar, statistics: &[Statistics], values: &[Value]) -> f64 {
        let (mut flow, mut logs) = (0.0, 0.0);
        for leaf in self.plan.leaves_of(&scalar.uses) {
            let own = &statistics[leaf];
            let log_rate = values[self.plan.leaves[leaf].entries[1]].log();
            flow += own.flow;
            logs += own.flow * log_rate + own.second;
        }
        inverse_digamma(logs / flow)
    }

    /// The shape if the rate follows it.
    fn paired_shape(&self, scalar: &LeafScalar, statistics: &[Statistics]) -> f64 {
        let leaves = self.plan.leaves_of(&scalar.uses);
        let (flow, total, logs) = leaves.fold((0.0, 0.0, 0.0), |(flow, total, logs), leaf| {
            let own = &statistics[leaf];
            (flow + own.flow, total + own.first, logs + own.second)
        });
        shape_of_gap((total / flow).ln() - logs / flow)
    }
}
