//! The hypergeometric distribution.

use super::description::{FamilyArgument, FamilyArgumentKind, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DistributionFamily, FamilyLaw, FamilyStatistics, PeakedLaw, on_counts,
};
use super::{Family, FamilyConstant, FamilyConstants, RefusedConstants};
use crate::circuit::{Domain, ParameterEntry, ValueSet};
use crate::kernel::density::{CountTerm, LogDensityForm};
use crate::leaf::LeafMoments;
use crate::leaf::counts::CountDistribution;
use crate::leaf::untruncated::UntruncatedLeaf;

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
        arguments: &[
            FamilyArgument::constant("N", FamilyArgumentKind::Count),
            FamilyArgument::constant("K", FamilyArgumentKind::Count),
            FamilyArgument::constant("n", FamilyArgumentKind::Count),
        ],
        meaning: "successes in `n` draws without replacement from `N`, `K` of them successes",
        domains: FamilyDomains::Counts,
        values: "up to `min(K, n)`",
    };
}

impl DistributionFamily for HypergeometricDistribution {
    fn from_constants(constants: FamilyConstants) -> Result<Family, RefusedConstants> {
        let (population, successes) = (constants.counts[0], constants.counts[1]);
        let draws = constants.counts[2];
        if successes > population || draws > population {
            return Err(RefusedConstants {
                message: format!(
                    "a population of {population} cannot hold {successes} successes and give \
                     {draws} draws"
                ),
                help: None,
            });
        }
        let distribution = HypergeometricDistribution {
            population,
            successes,
            draws,
        };
        Ok(distribution.into())
    }

    fn constants(&self) -> Vec<(&'static str, FamilyConstant)> {
        vec![
            ("population", FamilyConstant::Count(self.population)),
            ("successes", FamilyConstant::Count(self.successes)),
            ("draws", FamilyConstant::Count(self.draws)),
        ]
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        on_counts(domain, self.values())
    }

    fn support(&self, _: &Domain, _: &[ParameterEntry]) -> ValueSet {
        self.values()
    }

    fn law<'f>(&'f self, _: &UntruncatedLeaf) -> FamilyLaw<'f> {
        FamilyLaw::Peaked(PeakedLaw::Counts(self.counts()))
    }

    fn moments(&self, _: &UntruncatedLeaf) -> Option<LeafMoments> {
        let (all, good) = (f64::from(self.population), f64::from(self.successes));
        let draws = f64::from(self.draws);
        if all <= 1.0 {
            return Some(LeafMoments {
                mean: good * draws / all.max(1.0),
                variance: 0.0,
            });
        }
        let share = good / all;
        let mean = draws * share;
        Some(LeafMoments {
            mean,
            variance: mean * (1.0 - share) * (all - draws) / (all - 1.0),
        })
    }

    fn form(&self, _: &UntruncatedLeaf) -> LogDensityForm {
        LogDensityForm::alone(CountTerm::Whole(self.counts()))
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Nothing
    }
}

impl HypergeometricDistribution {
    /// From fewest to most successes that the draws can hold.
    fn values(&self) -> ValueSet {
        let successes = i64::from(self.successes);
        let forced = i64::from(self.draws) + successes - i64::from(self.population);
        ValueSet::integers(forced.max(0), i64::from(self.draws).min(successes) + 1)
    }

    fn counts(&self) -> CountDistribution {
        CountDistribution::Drawing {
            good: f64::from(self.successes),
            bad: f64::from(self.population.saturating_sub(self.successes)),
            draws: f64::from(self.draws),
        }
    }
}
