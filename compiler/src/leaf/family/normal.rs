//! The normal distribution.

use super::description::{FamilyArgument, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DensityFamily, DensitySampler, DistributionFamily, FamilyLaw, FamilyStatistics,
    MomentStatistics, PeakedLaw, on_reals,
};
use super::{Family, FamilyConstants, RefusedConstants};
use crate::circuit::{Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::LeafMoments;
use crate::leaf::entropy::HALF_LN_TAU_E;
use crate::leaf::long_log::LongLog;
use crate::leaf::normal::{HALF_LN_TAU, StandardScore};
use crate::leaf::peak::{AveragedQuantity, normal_peak, over};
use crate::leaf::pieces::DensityPiece;
use crate::leaf::quadrature::gauss;
use crate::leaf::sampler::variate;
use crate::leaf::tail::{Tails, normal_tails};
use crate::leaf::untruncated::UntruncatedLeaf;
use std::f64::consts::{LOG2_E, TAU};

/// `normal(mean, sd)`: a `real` and a `positive` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NormalDistribution;

impl NormalDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "normal",
        arguments: &[
            FamilyArgument::parameter("mean", ParamKind::Real),
            FamilyArgument::parameter("sd", ParamKind::Positive),
        ],
        meaning: "the bell curve; standard deviation, not variance",
        domains: FamilyDomains::Reals,
        values: "all",
    };
}

impl DistributionFamily for NormalDistribution {
    fn from_constants(_: FamilyConstants) -> Result<Family, RefusedConstants> {
        Ok(NormalDistribution.into())
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
        Some(long_log_normal(leaf, x.into()))
    }

    fn moments(&self, leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        Some(LeafMoments {
            mean: leaf.number(0),
            variance: leaf.number(1).powi(2),
        })
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let (mean, scale, constant) = bell(leaf);
        LogDensityForm::Bell {
            mean,
            scale,
            constant,
        }
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Moments(MomentStatistics::Centred)
    }
}

impl DensityFamily for NormalDistribution {
    fn log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> f64 {
        log_normal(leaf, x)
    }

    fn tails(&self, leaf: &UntruncatedLeaf, x: f64) -> Tails {
        normal_tails(x, leaf.number(0), leaf.number(1))
    }

    fn peak(&self, leaf: &UntruncatedLeaf) -> f64 {
        leaf.number(0)
    }

    fn log_narrow_run(&self, leaf: &UntruncatedLeaf, low: f64, high: f64) -> Option<f64> {
        let (mean, sd) = (leaf.number(0), leaf.number(1));
        let z = (low - mean) / sd;
        let relative = |t: f64| (-t * (z + 0.5 * t)).exp();
        let length = (high - low) / sd;
        Some(log_normal(leaf, low) + sd.ln() + gauss(0.0, length, relative).ln())
    }

    fn pieces(
        &self,
        leaf: &UntruncatedLeaf,
        set: &ValueSet,
        averaged: AveragedQuantity,
    ) -> Vec<DensityPiece> {
        let (mean, sd) = (leaf.number(0), leaf.number(1));
        over(set, |low, high| {
            let ends = ((low - mean) / sd, (high - mean) / sd);
            let peak = normal_peak(ends, (high - low) / sd, 0.0);
            let place = |t: f64| mean + sd * (peak.at + t);
            peak.integrated(|t| t * (peak.at + 0.5 * t), place, averaged)
        })
    }

    fn log_unit(&self, leaf: &UntruncatedLeaf) -> f64 {
        leaf.scalar(1).log()
    }

    fn entropy(&self, leaf: &UntruncatedLeaf) -> Option<f64> {
        Some(HALF_LN_TAU_E + leaf.scalar(1).log())
    }

    fn powers(&self, leaf: &UntruncatedLeaf) -> [f64; 2] {
        let precision = leaf.number(1).powi(-2);
        [leaf.number(0) * precision, -0.5 * precision]
    }

    fn sampler(&self, leaf: &UntruncatedLeaf) -> Option<DensitySampler> {
        let (mean, sd) = (leaf.number(0), leaf.number(1));
        Some(Box::new(move |random| mean + sd * variate::normal(random)))
    }
}

/// The logarithm of the density of a normal distribution with a leaf's parameters.
pub(super) fn log_normal(leaf: &UntruncatedLeaf, x: f64) -> f64 {
    let sd = leaf.scalar(1);
    let place = StandardScore::of(x, leaf.number(0), sd.linear());
    -place.fall() - sd.log() - HALF_LN_TAU
}

/// The same with twice the digits.
pub(super) fn long_log_normal(leaf: &UntruncatedLeaf, x: LongLog) -> LongLog {
    let sd = leaf.scalar(1);
    let z = (x - leaf.number(0).into()).over(sd.linear().into());
    -z.squared().times(0.5) - LongLog::from(sd.log() + HALF_LN_TAU)
}

/// Mean, scale and constant of the density, base 2.
pub(super) fn bell(leaf: &UntruncatedLeaf) -> (f64, f64, f64) {
    let sd = leaf.scalar(1);
    let scale = (0.5 * LOG2_E).sqrt() / sd.linear();
    let constant = -sd.log() * LOG2_E - 0.5 * TAU.log2();
    (leaf.number(0), scale, constant)
}
