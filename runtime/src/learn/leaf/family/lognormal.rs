//! Learning `lognormal`: as `normal`, of the logarithms of values.

use super::{
    ClosedTerm, LeafLearning, LeafParameters, LeafStatistics, LearnedLeaf, ObservedRange,
    ParameterBounds, StartDraw,
};
use pelton_compiler::circuit::{LogNormalDistribution, NormalDistribution};

impl LeafLearning for LogNormalDistribution {
    fn log_likelihood(&self, own: &LeafStatistics, params: LeafParameters) -> Option<f64> {
        // The logarithm's slope at each value.
        let slopes = own.first + own.centre * own.flow;
        Some(NormalDistribution.log_likelihood(own, params)? - slopes)
    }

    fn closed_term(&self, argument: usize, leaf: &LearnedLeaf) -> Option<ClosedTerm> {
        let mut term = NormalDistribution.closed_term(argument, leaf)?;
        if argument == 0 {
            // The entropy grows with the mean.
            let sd = leaf.params[1].linear();
            term.numbers[2] += leaf.entropy * sd * sd;
        }
        Some(term)
    }

    fn width(&self, params: LeafParameters) -> f64 {
        NormalDistribution.width(params)
    }

    fn bounds(&self, argument: usize, range: &ObservedRange) -> ParameterBounds {
        let mean = range.log_mean();
        match argument {
            0 => ParameterBounds::around((mean, mean), range.log_spread()),
            _ => ParameterBounds::of_width(range.log_spread()),
        }
    }

    fn start(&self, argument: usize, draw: &StartDraw) -> Option<f64> {
        let seen = &draw.seen;
        Some(match argument {
            0 => seen.log_mean + seen.log_sd * draw.normal(),
            _ => seen.log_sd,
        })
    }
}
