//! The poisson distribution.

use super::{FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `poisson(rate)`: a `positive` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PoissonDistribution;

impl PoissonDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "poisson",
        form: "poisson(rate)",
        arguments: &[FamilyArgument::parameter("rate", ParamKind::Positive)],
        meaning: "counts of events that occur at a rate",
    };
}
