//! Learning `uniform`: there is nothing to learn.

use super::LeafLearning;
use pelton_compiler::circuit::UniformDistribution;

impl LeafLearning for UniformDistribution {}
