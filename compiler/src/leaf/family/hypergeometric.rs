//! The hypergeometric distribution.

use super::{ArgumentKind, FamilyArgument, FamilyDescription};

/// `hypergeometric(N, K, n)`: successes in `n` draws without replacement; no parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HypergeometricDistribution {
    /// Size of the population.
    pub population: u32,
    /// Successes in it.
    pub successes: u32,
    /// Number of draws.
    pub draws: u32,
}

impl HypergeometricDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "hypergeometric",
        form: "hypergeometric(N, K, n)",
        arguments: &[FamilyArgument::constant("N", ArgumentKind::Count), FamilyArgument::constant("K", ArgumentKind::Count), FamilyArgument::constant("n", ArgumentKind::Count)],
        meaning: "successes in n draws without replacement from N, K of them successes",
    };
}
