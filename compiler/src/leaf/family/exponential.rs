//! The exponential distribution.

use super::{FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `exponential(rate)`: a `positive` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExponentialDistribution;

impl ExponentialDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "exponential",
        form: "exponential(rate)",
        arguments: &[FamilyArgument::parameter("rate", ParamKind::Positive)],
        meaning: "waiting time for an event that occurs at a rate",
    };
}
