//! Learning `categorical`: each value is counted.

use super::{EntryCounting, LeafLearning};
use pelton_compiler::circuit::CategoricalDistribution;

impl LeafLearning for CategoricalDistribution {
    fn counting(&self) -> Option<EntryCounting<'_>> {
        Some(EntryCounting::PerValue)
    }
}
