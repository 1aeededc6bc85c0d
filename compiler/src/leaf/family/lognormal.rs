//! The lognormal distribution.

use super::description::{FamilyArgument, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DensityFamily, DensitySampler, DistributionFamily, FamilyLaw, FamilyStatistics,
    MomentStatistics, PeakedLaw, on_reals, reals_from,
};
use super::{Family, FamilyConstants, RefusedConstants};
use crate::circuit::{Cut, Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::LeafMoments;
use crate::leaf::entropy::HALF_LN_TAU_E;
use crate::leaf::family::normal::{bell, log_normal, long_log_normal};
use crate::leaf::long_log::LongLog;
use crate::leaf::peak::{AveragedQuantity, log_ratio, normal_peak, over};
use crate::leaf::pieces::DensityPiece;
use crate::leaf::sampler::variate;
use crate::leaf::tail::{Tails, normal_tails};
use crate::leaf::untruncated::UntruncatedLeaf;

/// `lognormal(mean, sd)` of the logarithm: a `real` and a `positive` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LogNormalDistribution;

impl LogNormalDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "lognormal",
        arguments: &[
            FamilyArgument::parameter("mean", ParamKind::Real),
            FamilyArgument::parameter("sd", ParamKind::Positive),
        ],
        meaning: "its logarithm is normal with this mean and standard deviation",
        domains: FamilyDomains::Reals,
        values: "above 0",
    };
}

/// Densities that are wider than this, as the standard deviation of the logarithm, have their
/// moments out in the tail.
const WIDE: f64 = 1.0;

/// And so they have on sets whose ends differ by more than this, as a logarithm.
const LONG: f64 = 5.0;

impl DistributionFamily for LogNormalDistribution {
    fn from_constants(_: FamilyConstants) -> Result<Family, RefusedConstants> {
        Ok(LogNormalDistribution.into())
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        on_reals(domain)
    }

    fn support(&self, _: &Domain, _: &[ParameterEntry]) -> ValueSet {
        reals_from(Cut::after(0.0))
    }

    fn law<'f>(&'f self, _: &UntruncatedLeaf) -> FamilyLaw<'f> {
        FamilyLaw::Peaked(PeakedLaw::Density(self))
    }

    fn long_log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> Option<LongLog> {
        let ln = LongLog::ln(x);
        Some(long_log_normal(leaf, ln) - ln)
    }

    fn moments(&self, leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        let (mean, square) = (leaf.number(0), leaf.number(1).powi(2));
        let middle = (mean + 0.5 * square).exp();
        Some(LeafMoments {
            mean: middle,
            variance: square.exp_m1() * middle * middle,
        })
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let (mean, scale, constant) = bell(leaf);
        LogDensityForm::LogBell {
            mean,
            scale,
            constant,
        }
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Moments(MomentStatistics::LogCentred)
    }
}

impl DensityFamily for LogNormalDistribution {
    /// The density of the logarithm, times the slope of the logarithm.
    fn log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> f64 {
        if x > 0.0 {
            log_normal(leaf, x.ln()) - x.ln()
        } else {
            f64::NEG_INFINITY
        }
    }

    fn tails(&self, leaf: &UntruncatedLeaf, x: f64) -> Tails {
        if x <= 0.0 {
            return Tails::START;
        }
        normal_tails(x.ln(), leaf.number(0), leaf.number(1))
    }

    fn peak(&self, leaf: &UntruncatedLeaf) -> f64 {
        (leaf.number(0) - leaf.number(1) * leaf.number(1)).exp()
    }

    fn pieces(
        &self,
        leaf: &UntruncatedLeaf,
        set: &ValueSet,
        averaged: AveragedQuantity,
    ) -> Vec<DensityPiece> {
        tilted(leaf, set, averaged, 0.0)
    }

    fn log_unit(&self, leaf: &UntruncatedLeaf) -> f64 {
        leaf.scalar(1).log() + leaf.number(0)
    }

    fn entropy(&self, leaf: &UntruncatedLeaf) -> Option<f64> {
        Some(HALF_LN_TAU_E + leaf.scalar(1).log() + leaf.number(0))
    }

    fn tilted_pieces(
        &self,
        leaf: &UntruncatedLeaf,
        set: &ValueSet,
        power: i32,
    ) -> Option<Vec<DensityPiece>> {
        let one = AveragedQuantity::Function(&|_| 1.0);
        Some(tilted(leaf, set, one, f64::from(power)))
    }

    fn is_wide(&self, leaf: &UntruncatedLeaf, low: f64, high: f64) -> bool {
        leaf.number(1) > WIDE && high.ln() - low.max(0.0).ln() > LONG
    }

    fn sampler(&self, leaf: &UntruncatedLeaf) -> Option<DensitySampler> {
        let (mean, sd) = (leaf.number(0), leaf.number(1));
        Some(Box::new(move |random| {
            (mean + sd * variate::normal(random)).exp()
        }))
    }
}

/// The parts of the density times a power of its variable. What is averaged then peaks where
/// that product does, however wide the density is.
fn tilted(
    leaf: &UntruncatedLeaf,
    set: &ValueSet,
    averaged: AveragedQuantity,
    power: f64,
) -> Vec<DensityPiece> {
    let (mean, sd) = (leaf.number(0), leaf.number(1));
    let shift = power * sd;
    let place = |x: f64| (x.max(0.0).ln() - mean) / sd - shift;
    over(set, |low, high| {
        let length = log_ratio(low, high) / sd;
        let peak = normal_peak((place(low), place(high)), length, sd);
        let back = |t: f64| (mean + sd * (shift + peak.at + t)).exp();
        let piece = peak.integrated(|t| t * (peak.at + 0.5 * t), back, averaged);
        DensityPiece {
            log_weight: piece.log_weight + power * mean + 0.5 * shift * shift,
            ..piece
        }
    })
}
