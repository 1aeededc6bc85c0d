//! The negative binomial distribution.

use super::description::{FamilyArgument, FamilyArgumentKind, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DistributionFamily, FamilyLaw, FamilyStatistics, MomentStatistics, PeakedLaw, on_counts,
};
use super::{Family, FamilyConstant, FamilyConstants, RefusedConstants};
use crate::circuit::{Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::{CountTerm, LARGE_PARAMETER, LogDensityForm};
use crate::leaf::LeafMoments;
use crate::leaf::counts::CountDistribution;
use crate::leaf::gamma::log_choose;
use crate::leaf::long_log::LongLog;
use crate::leaf::untruncated::UntruncatedLeaf;
use std::f64::consts::LOG2_E;

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
        arguments: &[
            FamilyArgument::constant("r", FamilyArgumentKind::Count),
            FamilyArgument::parameter("p", ParamKind::Unit),
        ],
        meaning: "failures before the `r`th success",
        domains: FamilyDomains::Counts,
        values: "from 0 up",
    };
}

/// Factors of a binomial coefficient that are multiplied one by one.
const FEW: u32 = 1024;

impl DistributionFamily for NegativeBinomialDistribution {
    fn from_constants(constants: FamilyConstants) -> Result<Family, RefusedConstants> {
        let successes = constants.counts[0];
        Ok(NegativeBinomialDistribution { successes }.into())
    }

    fn constants(&self) -> Vec<(&'static str, FamilyConstant)> {
        vec![("successes", FamilyConstant::Count(self.successes))]
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        on_counts(domain, ValueSet::integers_from(0))
    }

    /// A success may be certain or impossible.
    fn support(&self, _: &Domain, entries: &[ParameterEntry]) -> ValueSet {
        match entries {
            [_, success] if success.is_fixed_zero() => ValueSet::empty(),
            [failure, _] if failure.is_fixed_zero() => ValueSet::integers(0, 1),
            _ => ValueSet::integers_from(0),
        }
    }

    fn law<'f>(&'f self, leaf: &UntruncatedLeaf) -> FamilyLaw<'f> {
        FamilyLaw::Peaked(PeakedLaw::Counts(CountDistribution::Waiting {
            successes: f64::from(self.successes),
            chance: leaf.chance(),
        }))
    }

    fn long_log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> Option<LongLog> {
        let [q, p] = leaf.long_chance();
        let ways = LongLog::from(self.log_ways(x));
        Some(ways + p.times(f64::from(self.successes)) + q.times(x))
    }

    fn moments(&self, leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        let (chance, successes) = (leaf.chance(), f64::from(self.successes));
        Some(LeafMoments {
            mean: successes * chance.q / chance.p,
            variance: successes * chance.q / (chance.p * chance.p),
        })
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let (chance, successes) = (leaf.chance(), f64::from(self.successes));
        if chance.log_p == f64::NEG_INFINITY {
            return LogDensityForm::Flat(chance.log_p);
        }
        if chance.log_q == f64::NEG_INFINITY {
            return LogDensityForm::certain(0.0);
        }
        let (constant, slope) = (successes * chance.log_p * LOG2_E, chance.log_q * LOG2_E);
        if successes == 1.0 {
            return LogDensityForm::Line { constant, slope };
        }
        if successes > LARGE_PARAMETER * chance.p {
            return LogDensityForm::alone(CountTerm::Whole(CountDistribution::Waiting {
                successes,
                chance,
            }));
        }
        LogDensityForm::Count {
            constant,
            slope,
            term: CountTerm::Failures { successes },
        }
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Moments(MomentStatistics::Plain)
    }
}

impl NegativeBinomialDistribution {
    /// The logarithm of the ways to have `k` failures: a product of few factors keeps the
    /// digits that the difference of two factorials has not.
    fn log_ways(&self, k: f64) -> f64 {
        if self.successes > FEW {
            return log_choose(k + f64::from(self.successes) - 1.0, k);
        }
        let factors = (1..self.successes).map(|at| ((k + f64::from(at)) / f64::from(at)).ln());
        factors.sum()
    }
}
