//! The categorical distribution.

use super::description::{FamilyArgument, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DistributionFamily, EntryFamily, FamilyLaw, FamilyStatistics, integers_of_entries,
};
use super::{Family, FamilyConstants, RefusedConstants};
use crate::circuit::{Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::untruncated::UntruncatedLeaf;

/// `categorical(p…)`: a `simplex` with an entry for each value of the domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CategoricalDistribution;

impl CategoricalDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "categorical",
        arguments: &[FamilyArgument::parameter("p", ParamKind::Simplex)],
        meaning: "one probability for each value, in their order; `categorical(w)` with a simplex or a list, `categorical(?)`",
        domains: FamilyDomains::Finite,
        values: "all",
    };
}

impl DistributionFamily for CategoricalDistribution {
    fn from_constants(_: FamilyConstants) -> Result<Family, RefusedConstants> {
        Ok(CategoricalDistribution.into())
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        domain.size().map(|_| domain.full())
    }

    fn support(&self, domain: &Domain, entries: &[ParameterEntry]) -> ValueSet {
        integers_of_entries(domain.first(), entries)
    }

    fn law<'f>(&'f self, _: &UntruncatedLeaf) -> FamilyLaw<'f> {
        FamilyLaw::Entries(self)
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        LogDensityForm::of_entries(leaf, self)
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Entries
    }
}

impl EntryFamily for CategoricalDistribution {
    fn log_entry(&self, leaf: &UntruncatedLeaf, at: usize) -> f64 {
        leaf.vector(0)[at].log()
    }
}
