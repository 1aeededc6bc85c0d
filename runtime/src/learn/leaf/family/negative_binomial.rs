//! Learning `negative_binomial`: its value counts failures, itself the successes it waits for.

use super::{EntryCounting, LeafLearning, StartDraw};
use pelton_compiler::circuit::NegativeBinomialDistribution;

impl LeafLearning for NegativeBinomialDistribution {
    fn counting(&self) -> Option<EntryCounting<'_>> {
        let successes = f64::from(self.successes);
        Some(EntryCounting::Linear([[0.0, 1.0], [successes, 0.0]]))
    }

    fn start(&self, _argument: usize, draw: &StartDraw) -> Option<f64> {
        let successes = f64::from(self.successes).max(1.0);
        Some(draw.probability(successes / (successes + draw.count())))
    }
}
