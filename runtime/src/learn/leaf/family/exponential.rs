//! Learning `exponential`: flow is events, values are the time until each.

use super::{
    ClosedTerm, FACTOR, LeafLearning, LeafParameters, LeafStatistics, LearnedLeaf, ObservedRange,
    ParameterBounds, RATE, StartDraw,
};
use pelton_compiler::circuit::ExponentialDistribution;

impl LeafLearning for ExponentialDistribution {
    fn log_likelihood(&self, own: &LeafStatistics, [rate, ..]: LeafParameters) -> Option<f64> {
        Some(own.flow * rate.log() - rate.linear() * own.first)
    }

    fn closed_term(&self, _argument: usize, leaf: &LearnedLeaf) -> Option<ClosedTerm> {
        let events = leaf.own.flow - leaf.entropy;
        Some(ClosedTerm::new(&RATE, [events, leaf.own.first]))
    }

    fn bounds(&self, _argument: usize, range: &ObservedRange) -> ParameterBounds {
        ParameterBounds {
            low: 1.0 / (FACTOR * range.mean().abs().max(range.spread())),
            high: FACTOR / range.spread(),
        }
    }

    fn start(&self, _argument: usize, draw: &StartDraw) -> Option<f64> {
        Some(draw.factor() / draw.middle())
    }
}
