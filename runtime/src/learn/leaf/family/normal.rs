//! Learning `normal`: means weighted by precision, and the mean square around them.

use super::{
    ClosedTerm, LeafLearning, LeafParameters, LeafStatistics, LearnedLeaf, MEAN, ObservedRange,
    ParameterBounds, SPREAD, StartDraw,
};
use pelton_compiler::circuit::NormalDistribution;

/// Half the logarithm of 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_7;

impl LeafLearning for NormalDistribution {
    fn log_likelihood(&self, own: &LeafStatistics, [mean, sd, _]: LeafParameters) -> Option<f64> {
        let spread = own.squares(mean.linear()) / sd.linear() / sd.linear();
        Some(-own.flow * (sd.log() + HALF_LN_TAU) - 0.5 * spread)
    }

    fn closed_term(&self, argument: usize, leaf: &LearnedLeaf) -> Option<ClosedTerm> {
        let (own, [mean, sd, _]) = (leaf.own, leaf.params);
        Some(match argument {
            0 => ClosedTerm::new(&MEAN, [sd.linear(), own.flow, own.first, own.centre]),
            _ => {
                let squares = own.squares(mean.linear());
                ClosedTerm::new(&SPREAD, [own.flow - leaf.entropy, squares])
            }
        })
    }

    fn width(&self, [_, sd, _]: LeafParameters) -> f64 {
        sd.linear()
    }

    fn bounds(&self, argument: usize, range: &ObservedRange) -> ParameterBounds {
        match argument {
            0 => ParameterBounds::around((range.min, range.max), range.spread()),
            _ => ParameterBounds::of_width(range.spread()),
        }
    }

    fn start(&self, argument: usize, draw: &StartDraw) -> Option<f64> {
        let seen = &draw.seen;
        Some(match argument {
            0 => seen.mean + seen.sd * draw.normal(),
            _ => seen.sd,
        })
    }
}
