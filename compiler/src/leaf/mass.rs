//! Masses of sets, before truncation.

use super::Base;
use super::counts::Counts;
use super::entropy::gauss;
use super::log_space::{log_minus, log_one_minus, log_sum_exp};
use super::support::{bin, hypergeometric_range};
use super::tail::Tails;
use crate::circuit::{
    BernoulliDistribution, CategoricalDistribution, Cut, ExponentialDistribution, Family,
    GammaDistribution, GeometricDistribution, HistogramDistribution, HypergeometricDistribution,
    LogNormalDistribution, NormalDistribution, UniformDistribution, ValueSet,
};
use std::f64::consts::LN_2;

/// Up to so many integers are added one by one: exact where a difference of tails is not.
const FEW: f64 = 64.0;
/// Where probabilities hardly change, up to so many are added one by one.
const MANY: f64 = 4096.0;
/// Differences that are smaller than this part of the tails are integrated instead: the
/// density then hardly changes, and the difference would lose digits.
const CLOSE: f64 = 0.05;

impl Base<'_> {
    /// The logarithm of the mass on `set`.
    pub(super) fn log_mass(&self, set: &ValueSet) -> f64 {
        let runs = set
            .runs()
            .iter()
            .map(|&(low, high)| self.log_run(low, high));
        log_sum_exp(runs).min(0.0)
    }

    pub(super) fn log_run(&self, low: Cut, high: Cut) -> f64 {
        match &self.distribution.family {
            Family::Bernoulli(BernoulliDistribution) => {
                let chance = self.chance();
                entries_between(&[chance.log_q, chance.log_p], 0.0, low, high)
            }
            Family::Categorical(CategoricalDistribution) => {
                let logs: Vec<f64> = self.vector(0).iter().map(|entry| entry.log()).collect();
                entries_between(&logs, self.domain.first(), low, high)
            }
            Family::Uniform(UniformDistribution {
                low: from,
                high: to,
            }) => self.log_share(from.value(), to.value(), low, high),
            Family::Histogram(HistogramDistribution { breaks }) => {
                let bins = breaks.windows(2).zip(self.vector(0));
                log_sum_exp(bins.map(|(ends, p)| {
                    p.log() + self.log_share(ends[0].value(), ends[1].value(), low, high)
                }))
            }
            Family::Exponential(ExponentialDistribution) => {
                log_decay(low.value(), high.value(), -self.scalar(0).linear())
            }
            Family::Normal(NormalDistribution)
            | Family::LogNormal(LogNormalDistribution)
            | Family::Gamma(GammaDistribution) => self.log_interval(low.value(), high.value()),
            _ => self.log_counts(low.value(), high.value()),
        }
    }

    /// What part of `[from, to)` lies in the run.
    fn log_share(&self, from: f64, to: f64, low: Cut, high: Cut) -> f64 {
        let all = bin(from, to, self.domain);
        let run = ValueSet::between(low, high, self.domain.is_discrete());
        let both = all.intersect(&run).measure();
        match both > 0.0 {
            true => (both / all.measure()).ln(),
            false => f64::NEG_INFINITY,
        }
    }

    /// The mass of the counts `low..high`.
    fn log_counts(&self, low: f64, high: f64) -> f64 {
        let low = low.max(0.0);
        if let Family::Hypergeometric(HypergeometricDistribution {
            population,
            successes,
            draws,
        }) = self.distribution.family
        {
            let (first, last) = hypergeometric_range(population, successes, draws);
            let mode = (f64::from(draws) + 1.0) * (f64::from(successes) + 1.0)
                / (f64::from(population) + 2.0);
            let range = (low.max(first as f64), high.min(last as f64 + 1.0));
            return self.log_series(range, mode.floor());
        }
        if self.distribution.family == Family::Geometric(GeometricDistribution) {
            return log_decay(low, high, self.chance().log_q);
        }
        if high - low <= FEW {
            let terms = (0..(high - low).max(0.0) as u32).map(|at| low + f64::from(at));
            return log_sum_exp(terms.map(|k| self.log_count(k)));
        }
        let (from, to) = (self.count_tails(low), self.count_tails(high));
        let log_mass = difference(from, to);
        match is_lost(log_mass, from, to) && high.is_finite() && low > 0.0 {
            true => self.log_sum(low, high),
            false => log_mass,
        }
    }

    /// Adds the probabilities of `low..high`, where they hardly change: those of many counts
    /// are an integral, with the first correction of Euler and Maclaurin.
    fn log_sum(&self, low: f64, high: f64) -> f64 {
        let counts = Counts::of(self);
        let middle = low + ((high - low) / 2.0).floor();
        let log_p = counts.log_p(middle);
        let relative = |k: f64| (counts.log_p(k) - log_p).exp();
        let sum: f64 = match high - low <= MANY {
            true => (0..(high - low) as u32)
                .map(|at| relative(low + f64::from(at)))
                .sum(),
            false => {
                let slope = |k: f64| relative(k) - relative(k - 1.0);
                let area = gauss(low - 0.5, high - 0.5, relative);
                area - (slope(high) - slope(low)) / 24.0
            }
        };
        log_p + sum.ln()
    }

    /// Adds the probabilities of `low..high` from the likeliest outwards, until
    /// what follows no longer counts: about ten standard deviations.
    fn log_series(&self, (low, high): (f64, f64), mode: f64) -> f64 {
        if low >= high {
            return f64::NEG_INFINITY;
        }
        let start = mode.clamp(low, high - 1.0);
        let peak = self.log_count(start);
        let relative = |k: f64| (self.log_count(k) - peak).exp();
        let mut sum = 0.0;
        for step in [1.0, -1.0] {
            let mut k = if step > 0.0 { start } else { start - 1.0 };
            while k >= low && k < high {
                let term = relative(k);
                sum += term;
                if term < sum * 1e-20 {
                    break;
                }
                k += step;
            }
        }
        peak + sum.ln()
    }

    /// The mass of an interval of the real axis.
    fn log_interval(&self, low: f64, high: f64) -> f64 {
        let (from, to) = (self.real_tails(low), self.real_tails(high));
        let log_mass = difference(from, to);
        let is_bounded = low.is_finite() && high.is_finite() && low < high;
        match is_bounded && is_lost(log_mass, from, to) {
            true => self.log_integral(low, high),
            false => log_mass,
        }
    }

    /// Integrates the density over an interval where it hardly changes, by the distance from
    /// the low end. Families that begin at 0 may have a pole there and are integrated on the
    /// scale of logarithms.
    fn log_integral(&self, low: f64, high: f64) -> f64 {
        if self.distribution.family == Family::Normal(NormalDistribution) {
            let (mean, sd) = (self.scalar(0).linear(), self.scalar(1).linear());
            let z = (low - mean) / sd;
            let relative = |t: f64| (-t * (z + 0.5 * t)).exp();
            let length = (high - low) / sd;
            return self.log_density(low) + sd.ln() + gauss(0.0, length, relative).ln();
        }
        if low <= 0.0 {
            return difference(self.real_tails(low), self.real_tails(high));
        }
        let log_p = self.log_density(low);
        let length = ((high - low) / low).ln_1p();
        let area = gauss(0.0, length, |t| {
            let x = low * t.exp();
            x * (self.log_density(x) - log_p).exp()
        });
        log_p + area.ln()
    }
}

/// Whether a difference of tails is so small that it lost digits.
fn is_lost(log_mass: f64, from: Tails, to: Tails) -> bool {
    // The larger term of the difference that was taken.
    let log_term = to.below.min(from.above);
    log_mass - log_term < CLOSE.ln()
}

/// The mass from `low` to `high` where the mass above `x` is `exp(slope x)`.
fn log_decay(low: f64, high: f64, slope: f64) -> f64 {
    let low = low.max(0.0);
    match low < high && slope < 0.0 {
        true => slope * low + log_one_minus(slope * (high - low)),
        false => f64::NEG_INFINITY,
    }
}

/// The mass between two places, by whichever tails are the smaller ones.
fn difference(from: Tails, to: Tails) -> f64 {
    if to.below < -LN_2 {
        log_minus(to.below, from.below)
    } else if from.above < -LN_2 {
        log_minus(from.above, to.above)
    } else {
        log_one_minus(log_sum_exp([from.below, to.above]))
    }
}

/// The sum for the integers from `low` to `high`, the first logarithm standing for `first`.
fn entries_between(logs: &[f64], first: f64, low: Cut, high: Cut) -> f64 {
    let n = logs.len() as f64;
    let from = (low.value() - first).clamp(0.0, n) as usize;
    let to = (high.value() - first).clamp(0.0, n) as usize;
    log_sum_exp(logs.get(from..to).unwrap_or(&[]).iter().copied())
}
