//! The poisson distribution.

use super::description::{FamilyArgument, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DistributionFamily, FamilyLaw, FamilyStatistics, MomentStatistics, PeakedLaw, on_counts,
};
use super::{Family, FamilyConstants, RefusedConstants};
use crate::circuit::{Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::{CountTerm, LARGE_PARAMETER, LogDensityForm};
use crate::leaf::LeafMoments;
use crate::leaf::counts::CountDistribution;
use crate::leaf::long_log::LongLog;
use crate::leaf::untruncated::UntruncatedLeaf;
use statrs::function::gamma::ln_gamma;
use std::f64::consts::LOG2_E;

/// `poisson(rate)`: a `positive` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PoissonDistribution;

impl PoissonDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "poisson",
        arguments: &[FamilyArgument::parameter("rate", ParamKind::Positive)],
        meaning: "events that occur at a rate",
        domains: FamilyDomains::Counts,
        values: "from 0 up",
    };
}

impl DistributionFamily for PoissonDistribution {
    fn from_constants(_: FamilyConstants) -> Result<Family, RefusedConstants> {
        Ok(PoissonDistribution.into())
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        on_counts(domain, ValueSet::integers_from(0))
    }

    fn support(&self, _: &Domain, _: &[ParameterEntry]) -> ValueSet {
        ValueSet::integers_from(0)
    }

    fn law<'f>(&'f self, leaf: &UntruncatedLeaf) -> FamilyLaw<'f> {
        let rate = leaf.number(0);
        FamilyLaw::Peaked(PeakedLaw::Counts(CountDistribution::Poisson { rate }))
    }

    fn long_log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> Option<LongLog> {
        let rate = leaf.scalar(0);
        let less = LongLog::from(rate.linear()) + ln_gamma(x + 1.0).into();
        Some(LongLog::from(rate).times(x) - less)
    }

    fn moments(&self, leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        let rate = leaf.number(0);
        Some(LeafMoments {
            mean: rate,
            variance: rate,
        })
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let rate = leaf.scalar(0);
        if rate.is_zero() {
            return LogDensityForm::certain(0.0);
        }
        if rate.linear() > LARGE_PARAMETER {
            let rate = rate.linear();
            return LogDensityForm::alone(CountTerm::Whole(CountDistribution::Poisson { rate }));
        }
        LogDensityForm::Count {
            constant: -rate.linear() * LOG2_E,
            slope: rate.log() * LOG2_E,
            term: CountTerm::Factorial,
        }
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Moments(MomentStatistics::Plain)
    }
}
