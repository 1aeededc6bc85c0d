//! Learning `poisson`: flow is time, values are events.

use super::{
    ClosedTerm, FACTOR, LeafLearning, LeafParameters, LeafStatistics, LearnedLeaf, ObservedRange,
    ParameterBounds, RATE, StartDraw, times,
};
use pelton_compiler::circuit::PoissonDistribution;

/// Rates below this cannot be told from 0.
const SMALLEST_RATE: f64 = 1e-6;

impl LeafLearning for PoissonDistribution {
    fn log_likelihood(&self, own: &LeafStatistics, [rate, ..]: LeafParameters) -> Option<f64> {
        Some(times(own.first, rate.log()) - rate.linear() * own.flow)
    }

    fn closed_term(&self, _argument: usize, leaf: &LearnedLeaf) -> Option<ClosedTerm> {
        let term = ClosedTerm::new(&RATE, [leaf.own.first, leaf.own.flow]);
        Some(term.exact_if(leaf.entropy == 0.0))
    }

    fn bounds(&self, _argument: usize, range: &ObservedRange) -> ParameterBounds {
        ParameterBounds {
            low: SMALLEST_RATE * range.mean().clamp(SMALLEST_RATE, 1.0),
            high: FACTOR * range.max.max(1.0),
        }
    }

    fn start(&self, _argument: usize, draw: &StartDraw) -> Option<f64> {
        Some(draw.middle() * draw.factor())
    }
}
