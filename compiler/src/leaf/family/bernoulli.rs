//! The bernoulli distribution.

use super::description::{FamilyArgument, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DistributionFamily, EntryFamily, FamilyLaw, FamilyStatistics, integers_of_entries,
};
use super::{Family, FamilyConstants, RefusedConstants};
use crate::circuit::{Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::untruncated::UntruncatedLeaf;

/// `bernoulli(p)`: a `unit` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BernoulliDistribution;

impl BernoulliDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "bernoulli",
        arguments: &[FamilyArgument::parameter("p", ParamKind::Unit)],
        meaning: "`true` with probability `p`",
        domains: FamilyDomains::Booleans,
        values: "`false` and `true`",
    };
}

impl DistributionFamily for BernoulliDistribution {
    fn from_constants(_: FamilyConstants) -> Result<Family, RefusedConstants> {
        Ok(BernoulliDistribution.into())
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        let is_binary = matches!(domain, Domain::Bool | Domain::Range { low: 0, high: 2 });
        is_binary.then(|| ValueSet::integers(0, 2))
    }

    fn support(&self, _: &Domain, entries: &[ParameterEntry]) -> ValueSet {
        integers_of_entries(0.0, entries)
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

impl EntryFamily for BernoulliDistribution {
    fn log_entry(&self, leaf: &UntruncatedLeaf, at: usize) -> f64 {
        let chance = leaf.chance();
        if at == 0 { chance.log_q } else { chance.log_p }
    }
}
