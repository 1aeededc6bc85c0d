//! Learning `bernoulli`: each of two values is counted.

use super::{EntryCounting, LeafLearning};
use pelton_compiler::circuit::BernoulliDistribution;

impl LeafLearning for BernoulliDistribution {
    fn counting(&self) -> Option<EntryCounting<'_>> {
        Some(EntryCounting::PerValue)
    }
}
