//! The bernoulli distribution.

use super::{FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `bernoulli(p)`: a `unit` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BernoulliDistribution;

impl BernoulliDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "bernoulli",
        form: "bernoulli(p)",
        arguments: &[FamilyArgument::parameter("p", ParamKind::Unit)],
        meaning: "`true` with probability p; of a `bool` variable",
    };
}
