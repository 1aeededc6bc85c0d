//! The Laplace distribution: an exponential one to both sides of its mean.

use super::description::{FamilyArgument, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DensityFamily, DensitySampler, DistributionFamily, FamilyLaw, FamilyStatistics, PeakedLaw,
    on_reals,
};
use super::{Family, FamilyConstants, RefusedConstants};
use crate::circuit::{Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::LeafMoments;
use crate::leaf::log_space::log_sum_exp;
use crate::leaf::long_log::LongLog;
use crate::leaf::mass::log_decay;
use crate::leaf::peak::{AveragedQuantity, DensityPeak, over};
use crate::leaf::pieces::DensityPiece;
use crate::leaf::sampler::variate;
use crate::leaf::tail::Tails;
use crate::leaf::untruncated::UntruncatedLeaf;
use std::f64::consts::{LN_2, LOG2_E};

/// `laplace(mean, scale)`: a `real` and a `positive` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LaplaceDistribution;

impl LaplaceDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "laplace",
        arguments: &[
            FamilyArgument::parameter("mean", ParamKind::Real),
            FamilyArgument::parameter("scale", ParamKind::Positive),
        ],
        meaning: "falls off exponentially to both sides; `scale` is the mean distance from the mean",
        domains: FamilyDomains::Reals,
        values: "all",
    };
}

impl DistributionFamily for LaplaceDistribution {
    fn from_constants(_: FamilyConstants) -> Result<Family, RefusedConstants> {
        Ok(LaplaceDistribution.into())
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        on_reals(domain)
    }

    fn support(&self, _: &Domain, _: &[ParameterEntry]) -> ValueSet {
        ValueSet::reals()
    }

    fn law<'f>(&'f self, _: &UntruncatedLeaf) -> FamilyLaw<'f> {
        FamilyLaw::Peaked(PeakedLaw::Density(self))
    }

    fn long_log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> Option<LongLog> {
        let (distance, scale) = (LongLog::from(x) - leaf.number(0).into(), leaf.scalar(1));
        let fall = distance.over(scale.linear().into());
        let log_top = LongLog::from(-LN_2 - scale.log());
        let is_above = x >= leaf.number(0);
        Some(if is_above {
            log_top - fall
        } else {
            log_top + fall
        })
    }

    fn moments(&self, leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        Some(LeafMoments {
            mean: leaf.number(0),
            variance: 2.0 * leaf.number(1).powi(2),
        })
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let scale = leaf.scalar(1);
        LogDensityForm::Tent {
            mean: leaf.number(0),
            slope: LOG2_E / scale.linear(),
            constant: -1.0 - scale.log() * LOG2_E,
        }
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Distances
    }
}

impl DensityFamily for LaplaceDistribution {
    fn log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> f64 {
        let scale = leaf.scalar(1);
        -LN_2 - scale.log() - (x - leaf.number(0)).abs() / scale.linear()
    }

    fn tails(&self, leaf: &UntruncatedLeaf, x: f64) -> Tails {
        let distance = (x - leaf.number(0)) / leaf.number(1);
        let outer = Tails::from_above(-LN_2 - distance.abs());
        if distance < 0.0 { outer.swap() } else { outer }
    }

    fn peak(&self, leaf: &UntruncatedLeaf) -> f64 {
        leaf.number(0)
    }

    /// Each side of the mean is half an exponential distribution.
    fn log_run(&self, leaf: &UntruncatedLeaf, low: f64, high: f64) -> f64 {
        let (mean, slope) = (leaf.number(0), -1.0 / leaf.number(1));
        let above = log_decay(low - mean, high - mean, slope);
        let below = log_decay(mean - high, mean - low, slope);
        log_sum_exp([above, below]) - LN_2
    }

    fn pieces(
        &self,
        leaf: &UntruncatedLeaf,
        set: &ValueSet,
        averaged: AveragedQuantity,
    ) -> Vec<DensityPiece> {
        let (mean, scale) = (leaf.number(0), leaf.number(1));
        over(set, |low, high| {
            let at = mean.clamp(low, high);
            let peak = DensityPeak {
                at,
                log_weight: -(at - mean).abs() / scale,
                offset: 0.0,
                left: at - low,
                right: high - at,
                hint: 50.0 * scale,
                slope: 0.0,
            };
            peak.integrated(|t| t.abs() / scale, |t| at + t, averaged)
        })
    }

    fn entropy(&self, leaf: &UntruncatedLeaf) -> Option<f64> {
        Some(1.0 + LN_2 + leaf.scalar(1).log())
    }

    fn sampler(&self, leaf: &UntruncatedLeaf) -> Option<DensitySampler> {
        let (mean, scale) = (leaf.number(0), leaf.number(1));
        Some(Box::new(move |random| {
            let sign = if variate::open_unit(random) < 0.5 {
                -1.0
            } else {
                1.0
            };
            mean - sign * scale * variate::open_unit(random).ln()
        }))
    }
}
