//! Learning `histogram`: each bin is counted.

use super::{EntryCounting, LeafLearning};
use pelton_compiler::circuit::HistogramDistribution;

impl LeafLearning for HistogramDistribution {
    fn counting(&self) -> Option<EntryCounting<'_>> {
        Some(EntryCounting::PerBin(&self.breaks))
    }
}
