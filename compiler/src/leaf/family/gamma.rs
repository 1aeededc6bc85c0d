//! The gamma distribution.

use super::description::{FamilyArgument, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DensityFamily, DensitySampler, DistributionFamily, FamilyLaw, FamilyStatistics,
    MomentStatistics, PeakedLaw, on_reals, reals_from,
};
use super::{Family, FamilyConstants, RefusedConstants};
use crate::circuit::{Cut, Domain, ParamKind, ParameterEntry, ValueSet};
use crate::kernel::density::{CountTerm, LARGE_PARAMETER, LogDensityForm};
use crate::leaf::LeafMoments;
use crate::leaf::entropy::HALF_LN_TAU_E;
use crate::leaf::incomplete::log_gamma_tails;
use crate::leaf::long_log::LongLog;
use crate::leaf::peak::{AveragedQuantity, DensityPeak, log_ratio, over};
use crate::leaf::pieces::DensityPiece;
use crate::leaf::saddle::log_gamma_density;
use crate::leaf::sampler::variate;
use crate::leaf::tail::Tails;
use crate::leaf::untruncated::UntruncatedLeaf;
use statrs::function::gamma::{digamma, ln_gamma};
use std::f64::consts::LOG2_E;

/// `gamma(shape, rate)`: two `positive` parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GammaDistribution;

impl GammaDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "gamma",
        arguments: &[
            FamilyArgument::parameter("shape", ParamKind::Positive),
            FamilyArgument::parameter("rate", ParamKind::Positive),
        ],
        meaning: "sums of waiting times; mean `shape / rate`",
        domains: FamilyDomains::Reals,
        values: "above 0",
    };
}

impl DistributionFamily for GammaDistribution {
    fn from_constants(_: FamilyConstants) -> Result<Family, RefusedConstants> {
        Ok(GammaDistribution.into())
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
        let (shape, rate) = (leaf.number(0), leaf.scalar(1));
        let powers = LongLog::from(rate).times(shape) + LongLog::ln(x).times(shape - 1.0);
        Some(powers - LongLog::product(rate.linear(), x) - ln_gamma(shape).into())
    }

    fn moments(&self, leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        let (shape, rate) = (leaf.number(0), leaf.number(1));
        Some(LeafMoments {
            mean: shape / rate,
            variance: shape / rate.powi(2),
        })
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let (shape, rate) = (leaf.number(0), leaf.scalar(1));
        if shape > LARGE_PARAMETER {
            let rate = rate.linear();
            return LogDensityForm::alone(CountTerm::Gamma { shape, rate });
        }
        LogDensityForm::LogLine {
            constant: (shape * rate.log() - ln_gamma(shape)) * LOG2_E,
            slope: -rate.linear() * LOG2_E,
            log_slope: (shape - 1.0) * LOG2_E,
        }
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Moments(MomentStatistics::WithLogarithm)
    }
}

impl DensityFamily for GammaDistribution {
    fn log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> f64 {
        if x > 0.0 {
            log_gamma_density(leaf.number(0), leaf.number(1), x)
        } else {
            f64::NEG_INFINITY
        }
    }

    fn tails(&self, leaf: &UntruncatedLeaf, x: f64) -> Tails {
        if x <= 0.0 {
            return Tails::START;
        }
        let (shape, rate) = (leaf.number(0), leaf.number(1));
        log_gamma_tails(shape, rate * x, rate.mul_add(x, -shape))
    }

    fn peak(&self, leaf: &UntruncatedLeaf) -> f64 {
        ((leaf.number(0) - 1.0) / leaf.number(1)).max(0.0)
    }

    /// By the logarithm of the variable: that has a density without poles.
    fn pieces(
        &self,
        leaf: &UntruncatedLeaf,
        set: &ValueSet,
        averaged: AveragedQuantity,
    ) -> Vec<DensityPiece> {
        let (shape, rate) = (leaf.number(0), leaf.number(1));
        over(set, |low, high| {
            let peak = (shape / rate).max(low).min(high);
            let steepness = (rate * peak - shape).abs();
            let own = DensityPeak {
                at: peak,
                log_weight: shape * peak.ln() - rate * peak,
                offset: -peak.ln(),
                left: log_ratio(low, peak),
                right: log_ratio(peak, high),
                hint: 10.0 / (shape.sqrt() + steepness),
                slope: 1.0,
            };
            let drop = |t: f64| rate * peak * t.exp_m1() - shape * t;
            own.integrated(drop, |t| peak * t.exp(), averaged)
        })
    }

    fn entropy(&self, leaf: &UntruncatedLeaf) -> Option<f64> {
        Some(unit_gamma_entropy(leaf.number(0)) - leaf.scalar(1).log())
    }

    fn powers(&self, leaf: &UntruncatedLeaf) -> [f64; 2] {
        [-leaf.number(1), 0.0]
    }

    fn pole(&self, leaf: &UntruncatedLeaf) -> Option<f64> {
        (leaf.number(0) < 1.0).then_some(0.0)
    }

    fn sampler(&self, leaf: &UntruncatedLeaf) -> Option<DensitySampler> {
        let (shape, rate) = (leaf.number(0), leaf.number(1));
        if shape >= 1.0 {
            return Some(Box::new(move |random| variate::gamma(shape, random) / rate));
        }
        // A larger shape, shrunk by a power of a uniform number that may be tiny.
        Some(Box::new(move |random| {
            let log = variate::gamma(shape + 1.0, random).ln();
            (log + variate::open_unit(random).ln() / shape - rate.ln()).exp()
        }))
    }
}

/// The entropy of a gamma distribution with rate 1.
fn unit_gamma_entropy(shape: f64) -> f64 {
    if shape < 100.0 {
        return shape + ln_gamma(shape) + (1.0 - shape) * digamma(shape);
    }
    // The logarithms of the closed form cancel; what is left of their series does not.
    let u = 1.0 / shape;
    let tail = u * (1.0 / 3.0 + u * (1.0 / 12.0 + u * (1.0 / 90.0 - u / 120.0)));
    HALF_LN_TAU_E + 0.5 * shape.ln() - tail
}
