//! The geometric distribution.

use super::{FamilyArgument, FamilyDescription};
use crate::circuit::ParamKind;

/// `geometric(p)`: failures before the first success; a `unit` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GeometricDistribution;

impl GeometricDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "geometric",
        form: "geometric(p)",
        arguments: &[FamilyArgument::parameter("p", ParamKind::Unit)],
        meaning: "failures before the first success",
    };
}
