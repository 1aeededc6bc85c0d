//! Learning `hypergeometric`: there is nothing to learn.

use super::LeafLearning;
use pelton_compiler::circuit::HypergeometricDistribution;

impl LeafLearning for HypergeometricDistribution {}
