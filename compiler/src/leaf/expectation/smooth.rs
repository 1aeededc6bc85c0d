//! Means over densities and probabilities that fall from a peak.

use super::super::Base;
use super::super::counts::Counts;
use super::super::entropy::pieces::Piece;
use super::super::entropy::real::Averaged;
use crate::circuit::{
    ExponentialDistribution, Family, GammaDistribution, LogNormalDistribution, NormalDistribution,
    ValueSet,
};

/// A leaf with the set on which it is positive.
pub(super) struct Smooth<'a> {
    pub base: Base<'a>,
    pub own: ValueSet,
}

/// Log-normal densities that are wider than this, as the standard deviation of the
/// logarithm, have their moments out in the tail.
const WIDE: f64 = 1.0;

/// And so they have on sets whose ends differ by more than this, as a logarithm.
const LONG: f64 = 5.0;

impl Smooth<'_> {
    /// The mean of a function that grows no faster than a power, counted only where
    /// the value lies in `set`.
    pub fn mean(&self, set: &ValueSet, function: &dyn Fn(f64) -> f64) -> f64 {
        self.scaled(&self.pieces(&self.own.intersect(set), function))
    }

    /// The mean of a power of the value, counted only where it lies in `set`.
    pub fn power_mean(&self, set: &ValueSet, power: i32) -> f64 {
        let inside = self.own.intersect(set);
        match self.base.distribution.family {
            Family::LogNormal(LogNormalDistribution) => {
                let one = Averaged::Function(&|_| 1.0);
                self.scaled(&self.base.tilted_pieces(&inside, one, f64::from(power)))
            }
            _ => self.mean(set, &|x| x.powi(power)),
        }
    }

    /// Whether powers have their mean so far out that integrals of other functions
    /// do not see it: each power is then integrated around a peak of its own.
    pub fn is_wide(&self, set: &ValueSet) -> bool {
        let is_lognormal = matches!(
            self.base.distribution.family,
            Family::LogNormal(LogNormalDistribution)
        );
        let inside = self.own.intersect(set);
        let ends = (inside.runs().first(), inside.runs().last());
        let (Some((low, _)), Some((_, high)), true) = (ends.0, ends.1, is_lognormal) else {
            return false;
        };
        let length = high.value().ln() - low.value().max(0.0).ln();
        self.base.scalar(1).linear() > WIDE && length > LONG
    }

    /// What pieces add up to relative to the whole leaf.
    fn scaled(&self, parts: &[Piece]) -> f64 {
        let whole = self.pieces(&self.own, &|_| 0.0);
        let tops = whole.iter().map(|piece| piece.log_weight);
        let top = tops.fold(f64::NEG_INFINITY, f64::max);
        if !top.is_finite() {
            return 0.0;
        }
        let scale = |piece: &Piece| (piece.log_weight - top).exp();
        let total: f64 = whole.iter().map(|piece| scale(piece) * piece.mass()).sum();
        // What is far below everything adds nothing, though its mean may be huge.
        let values = parts.iter().filter(|piece| scale(piece) > 0.0);
        values.map(|piece| scale(piece) * piece.fall).sum::<f64>() / total
    }

    fn pieces(&self, set: &ValueSet, function: &dyn Fn(f64) -> f64) -> Vec<Piece> {
        match self.base.distribution.family {
            Family::Normal(NormalDistribution)
            | Family::LogNormal(LogNormalDistribution)
            | Family::Exponential(ExponentialDistribution)
            | Family::Gamma(GammaDistribution) => {
                self.base.real_pieces(set, Averaged::Function(function))
            }
            _ => {
                let counts = Counts::of(&self.base);
                let range = counts.range().unwrap_or((0.0, -1.0));
                let value = |k: f64, _: f64| function(k);
                self.base.count_pieces(&counts, range, set, &value)
            }
        }
    }
}
