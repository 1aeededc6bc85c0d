//! Learning `binomial`: its value counts successes, its trials those and failures.

use super::{EntryCounting, LeafLearning, StartDraw};
use pelton_compiler::circuit::BinomialDistribution;

impl LeafLearning for BinomialDistribution {
    fn counting(&self) -> Option<EntryCounting<'_>> {
        let trials = f64::from(self.trials);
        Some(EntryCounting::Linear([[trials, -1.0], [0.0, 1.0]]))
    }

    fn start(&self, _argument: usize, draw: &StartDraw) -> Option<f64> {
        let trials = f64::from(self.trials).max(1.0);
        Some(draw.probability(draw.count() / trials))
    }
}
