//! The uniform distribution.

use super::{ArgumentKind, FamilyArgument, FamilyDescription};
use crate::circuit::Bound;

/// `uniform(low, high)`: constant on `[low, high)`; no parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UniformDistribution {
    /// First value of the support.
    pub low: Bound,
    /// One past its last value, or its open upper end.
    pub high: Bound,
}

impl UniformDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "uniform",
        form: "uniform(low, high)",
        arguments: &[FamilyArgument::constant("low", ArgumentKind::Bound), FamilyArgument::constant("high", ArgumentKind::Bound)],
        meaning: "the same everywhere on `[low, high)`; `uniform()` over a finite domain",
    };
}
