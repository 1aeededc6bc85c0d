//! The categorical distribution.

use super::{FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `categorical(p…)`: a `simplex` with an entry for each value of the domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CategoricalDistribution;

impl CategoricalDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "categorical",
        form: "categorical(p, …)",
        arguments: &[FamilyArgument::parameter("p", ParamKind::Simplex)],
        meaning: "one probability for each value of a finite domain",
    };
}
