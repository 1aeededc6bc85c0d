//! The normal distribution.

use super::{FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `normal(mean, sd)`: a `real` and a `positive` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NormalDistribution;

impl NormalDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "normal",
        form: "normal(mean, sd)",
        arguments: &[FamilyArgument::parameter("mean", ParamKind::Real), FamilyArgument::parameter("sd", ParamKind::Positive)],
        meaning: "the bell curve; of a `real` variable",
    };
}
