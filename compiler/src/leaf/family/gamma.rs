//! The gamma distribution.

use super::{FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `gamma(shape, rate)`: two `positive` parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GammaDistribution;

impl GammaDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "gamma",
        form: "gamma(shape, rate)",
        arguments: &[FamilyArgument::parameter("shape", ParamKind::Positive), FamilyArgument::parameter("rate", ParamKind::Positive)],
        meaning: "sums of waiting times; above 0",
    };
}
