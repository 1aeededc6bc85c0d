//! Learning `geometric`: its value counts failures, itself one success.

use super::{EntryCounting, LeafLearning, StartDraw};
use pelton_compiler::circuit::GeometricDistribution;

impl LeafLearning for GeometricDistribution {
    fn counting(&self) -> Option<EntryCounting<'_>> {
        Some(EntryCounting::Linear([[0.0, 1.0], [1.0, 0.0]]))
    }

    fn start(&self, _argument: usize, draw: &StartDraw) -> Option<f64> {
        Some(draw.probability(1.0 / (1.0 + draw.count())))
    }
}
