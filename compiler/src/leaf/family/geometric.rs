//! The geometric distribution.

use super::description::{FamilyArgument, FamilyDescription, FamilyDomains};
use super::distribution_family::{DistributionFamily, FamilyLaw, FamilyStatistics};
use super::{Family, FamilyConstants, NegativeBinomialDistribution, RefusedConstants};
use crate::circuit::{Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::LeafMoments;
use crate::leaf::long_log::LongLog;
use crate::leaf::untruncated::UntruncatedLeaf;

/// `geometric(p)`: failures before the first success; a `unit` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GeometricDistribution;

impl GeometricDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "geometric",
        arguments: &[FamilyArgument::parameter("p", ParamKind::Unit)],
        meaning: "failures before the first success",
        domains: FamilyDomains::Counts,
        values: "from 0 up",
    };
}

/// What it is a name for.
const ONE_SUCCESS: NegativeBinomialDistribution = NegativeBinomialDistribution { successes: 1 };

impl DistributionFamily for GeometricDistribution {
    fn from_constants(_: FamilyConstants) -> Result<Family, RefusedConstants> {
        Ok(GeometricDistribution.into())
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        ONE_SUCCESS.values_on(domain)
    }

    fn support(&self, domain: &Domain, entries: &[ParameterEntry]) -> ValueSet {
        ONE_SUCCESS.support(domain, entries)
    }

    fn law<'f>(&'f self, leaf: &UntruncatedLeaf) -> FamilyLaw<'f> {
        ONE_SUCCESS.law(leaf)
    }

    fn long_log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> Option<LongLog> {
        ONE_SUCCESS.long_log_density(leaf, x)
    }

    fn moments(&self, leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        ONE_SUCCESS.moments(leaf)
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        ONE_SUCCESS.form(leaf)
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        ONE_SUCCESS.statistics()
    }
}
