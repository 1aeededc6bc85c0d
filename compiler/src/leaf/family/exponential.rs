//! The exponential distribution.

use super::description::{FamilyArgument, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DensityFamily, DensitySampler, DistributionFamily, FamilyLaw, FamilyStatistics,
    MomentStatistics, PeakedLaw, on_reals, reals_from,
};
use super::{Family, FamilyConstants, RefusedConstants};
use crate::circuit::{Cut, Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::LeafMoments;
use crate::leaf::long_log::LongLog;
use crate::leaf::mass::log_decay;
use crate::leaf::peak::{AveragedQuantity, DensityPeak, over};
use crate::leaf::pieces::DensityPiece;
use crate::leaf::sampler::variate;
use crate::leaf::tail::{Tails, geometric_tails};
use crate::leaf::untruncated::UntruncatedLeaf;
use std::f64::consts::LOG2_E;

/// `exponential(rate)`: a `positive` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExponentialDistribution;

impl ExponentialDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "exponential",
        arguments: &[FamilyArgument::parameter("rate", ParamKind::Positive)],
        meaning: "waiting time for an event that occurs at a rate; mean `1 / rate`",
        domains: FamilyDomains::Reals,
        values: "from 0 up",
    };
}

impl DistributionFamily for ExponentialDistribution {
    fn from_constants(_: FamilyConstants) -> Result<Family, RefusedConstants> {
        Ok(ExponentialDistribution.into())
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        on_reals(domain)
    }

    fn support(&self, _: &Domain, _: &[ParameterEntry]) -> ValueSet {
        reals_from(Cut::before(0.0))
    }

    fn law<'f>(&'f self, _: &UntruncatedLeaf) -> FamilyLaw<'f> {
        FamilyLaw::Peaked(PeakedLaw::Density(self))
    }

    fn long_log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> Option<LongLog> {
        let rate = leaf.scalar(0);
        Some(LongLog::from(rate) - LongLog::product(rate.linear(), x))
    }

    fn moments(&self, leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        let rate = leaf.number(0);
        Some(LeafMoments {
            mean: 1.0 / rate,
            variance: rate.powi(-2),
        })
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let rate = leaf.scalar(0);
        LogDensityForm::Line {
            constant: rate.log() * LOG2_E,
            slope: -rate.linear() * LOG2_E,
        }
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Moments(MomentStatistics::Plain)
    }
}

impl DensityFamily for ExponentialDistribution {
    fn log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> f64 {
        let rate = leaf.scalar(0);
        if x >= 0.0 {
            rate.log() - rate.linear() * x
        } else {
            f64::NEG_INFINITY
        }
    }

    fn tails(&self, leaf: &UntruncatedLeaf, x: f64) -> Tails {
        if x <= 0.0 {
            return Tails::START;
        }
        geometric_tails(leaf.number(0) * x)
    }

    fn peak(&self, _: &UntruncatedLeaf) -> f64 {
        0.0
    }

    fn log_run(&self, leaf: &UntruncatedLeaf, low: f64, high: f64) -> f64 {
        log_decay(low, high, -leaf.number(0))
    }

    fn pieces(
        &self,
        leaf: &UntruncatedLeaf,
        set: &ValueSet,
        averaged: AveragedQuantity,
    ) -> Vec<DensityPiece> {
        let rate = leaf.number(0);
        over(set, |low, high| {
            let low = low.max(0.0);
            let peak = DensityPeak {
                at: low,
                log_weight: -rate * low,
                offset: 0.0,
                left: 0.0,
                right: high - low,
                hint: 50.0 / rate,
                slope: 0.0,
            };
            peak.integrated(|t| rate * t, |t| low + t, averaged)
        })
    }

    fn entropy(&self, leaf: &UntruncatedLeaf) -> Option<f64> {
        Some(1.0 - leaf.scalar(0).log())
    }

    fn powers(&self, leaf: &UntruncatedLeaf) -> [f64; 2] {
        [-leaf.number(0), 0.0]
    }

    fn sampler(&self, leaf: &UntruncatedLeaf) -> Option<DensitySampler> {
        let rate = leaf.number(0);
        Some(Box::new(move |random| {
            -variate::open_unit(random).ln() / rate
        }))
    }
}
