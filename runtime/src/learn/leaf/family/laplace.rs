//! Learning `laplace`: its flows say how far values are from the mean, and the search asks the
//! density of each distance.

use super::super::bounds::ParameterBounds;
use super::super::ranges::Range;
use super::super::start::StartDraw;
use super::{LeafLearning, LeafParameters};
use pelton_compiler::circuit::LaplaceDistribution;

impl LeafLearning for LaplaceDistribution {
    fn width(&self, [_, scale, _]: LeafParameters) -> f64 {
        scale.linear()
    }

    fn bounds(&self, argument: usize, range: &Range) -> ParameterBounds {
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
