//! The binomial distribution.

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
        arguments: &[
            FamilyArgument::constant("n", FamilyArgumentKind::Count),
            FamilyArgument::parameter("p", ParamKind::Unit),
        ],
        meaning: "successes in `n` trials of probability `p`",
        domains: FamilyDomains::Counts,
        values: "0 to `n`",
    };
}

impl DistributionFamily for BinomialDistribution {
    fn from_constants(constants: FamilyConstants) -> Result<Family, RefusedConstants> {
        let trials = constants.counts[0];
        Ok(BinomialDistribution { trials }.into())
    }

    fn constants(&self) -> Vec<(&'static str, FamilyConstant)> {
        vec![("trials", FamilyConstant::Count(self.trials))]
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        on_counts(domain, ValueSet::integers(0, i64::from(self.trials) + 1))
    }

    fn support(&self, _: &Domain, entries: &[ParameterEntry]) -> ValueSet {
        let trials = i64::from(self.trials);
        match entries {
            [_, success] if success.is_fixed_zero() => ValueSet::integers(0, 1),
            [failure, _] if failure.is_fixed_zero() => ValueSet::integers(trials, trials + 1),
            _ => ValueSet::integers(0, trials + 1),
        }
    }

    fn law<'f>(&'f self, leaf: &UntruncatedLeaf) -> FamilyLaw<'f> {
        FamilyLaw::Peaked(PeakedLaw::Counts(CountDistribution::Binomial {
            trials: f64::from(self.trials),
            chance: leaf.chance(),
        }))
    }

    fn long_log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> Option<LongLog> {
        let [q, p] = leaf.long_chance();
        let trials = f64::from(self.trials);
        let ways = LongLog::from(log_choose(trials, x));
        Some(ways + p.times(x) + q.times(trials - x))
    }

    fn moments(&self, leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        let (chance, n) = (leaf.chance(), f64::from(self.trials));
        Some(LeafMoments {
            mean: n * chance.p,
            variance: n * chance.p * chance.q,
        })
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let (chance, trials) = (leaf.chance(), f64::from(self.trials));
        if chance.log_p == f64::NEG_INFINITY {
            return LogDensityForm::certain(0.0);
        }
        if chance.log_q == f64::NEG_INFINITY {
            return LogDensityForm::certain(trials);
        }
        if trials > LARGE_PARAMETER {
            return LogDensityForm::alone(CountTerm::Whole(CountDistribution::Binomial {
                trials,
                chance,
            }));
        }
        let [log_q, log_p] = [chance.log_q, chance.log_p].map(|log| log * LOG2_E);
        LogDensityForm::Count {
            constant: trials * log_q,
            slope: log_p - log_q,
            term: CountTerm::Successes { trials },
        }
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Moments(MomentStatistics::Plain)
    }
}
