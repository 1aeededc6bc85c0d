//! The lognormal distribution.

use super::{FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `lognormal(mean, sd)` of the logarithm: a `real` and a `positive` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LogNormalDistribution;

impl LogNormalDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "lognormal",
        form: "lognormal(mean, sd)",
        arguments: &[FamilyArgument::parameter("mean", ParamKind::Real), FamilyArgument::parameter("sd", ParamKind::Positive)],
        meaning: "its logarithm is normal with this mean and spread",
    };
}
