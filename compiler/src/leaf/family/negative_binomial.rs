//! The negative binomial distribution.

use super::{ArgumentKind, FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `negative_binomial(r, p)`: failures before the r-th success; a `unit` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NegativeBinomialDistribution {
    /// Number of successes waited for.
    pub successes: u32,
}

impl NegativeBinomialDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "negative_binomial",
        form: "negative_binomial(r, p)",
        arguments: &[FamilyArgument::constant("r", ArgumentKind::Count), FamilyArgument::parameter("p", ParamKind::Unit)],
        meaning: "failures before the r-th success",
    };
}
