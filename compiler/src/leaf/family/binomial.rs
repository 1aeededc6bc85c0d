//! The binomial distribution.

use super::{ArgumentKind, FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `binomial(n, p)`: a `unit` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BinomialDistribution {
    /// Number of trials.
    pub trials: u32,
}

impl BinomialDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "binomial",
        form: "binomial(n, p)",
        arguments: &[FamilyArgument::constant("n", ArgumentKind::Count), FamilyArgument::parameter("p", ParamKind::Unit)],
        meaning: "successes in n trials of probability p",
    };
}
