//! Probabilities and densities at a point, before truncation.

use super::Base;
use super::counts::Counts;
use super::normal::{HALF_LN_TAU, Place};
use super::saddle::log_gamma_density;
use super::support::{bin, hypergeometric_range};
use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, Bound, CategoricalDistribution,
    ExponentialDistribution, Family, GammaDistribution, HistogramDistribution,
    HypergeometricDistribution, LogNormalDistribution, NormalDistribution, UniformDistribution,
    Value,
};
use statrs::function::gamma::ln_gamma;

impl Base<'_> {
    /// The logarithm of the density at `x`, a value of the domain.
    pub(super) fn log_density(&self, x: f64) -> f64 {
        match &self.distribution.family {
            Family::Bernoulli(BernoulliDistribution) => {
                let chance = self.chance();
                if x == 0.0 { chance.log_q } else { chance.log_p }
            }
            Family::Categorical(CategoricalDistribution) => {
                entry_log(self.vector(0), x - self.domain.first())
            }
            Family::Normal(NormalDistribution) => self.log_normal_density(x),
            // The density of the logarithm, times the slope of the logarithm.
            Family::LogNormal(LogNormalDistribution) if x > 0.0 => {
                self.log_normal_density(x.ln()) - x.ln()
            }
            Family::Exponential(ExponentialDistribution) if x >= 0.0 => {
                let rate = self.scalar(0);
                rate.log() - rate.linear() * x
            }
            Family::Gamma(GammaDistribution) if x > 0.0 => {
                log_gamma_density(self.scalar(0).linear(), self.scalar(1).linear(), x)
            }
            Family::LogNormal(LogNormalDistribution)
            | Family::Exponential(ExponentialDistribution)
            | Family::Gamma(GammaDistribution) => f64::NEG_INFINITY,
            Family::Uniform(UniformDistribution { low, high }) => {
                self.log_flat(0.0, low.value(), high.value(), x)
            }
            Family::Histogram(HistogramDistribution { breaks }) => self.log_histogram(breaks, x),
            _ => self.log_count(x),
        }
    }

    fn log_normal_density(&self, x: f64) -> f64 {
        let sd = self.scalar(1);
        let place = Place::of(x, self.scalar(0).linear(), sd.linear());
        -place.fall() - sd.log() - HALF_LN_TAU
    }

    /// `exp(log_p)` spread evenly over `[low, high)`.
    fn log_flat(&self, log_p: f64, low: f64, high: f64, x: f64) -> f64 {
        let set = bin(low, high, self.domain);
        match set.contains(x) {
            true => log_p - set.measure().ln(),
            false => f64::NEG_INFINITY,
        }
    }

    fn log_histogram(&self, breaks: &[Bound], x: f64) -> f64 {
        let above = breaks.partition_point(|bound| bound.value() <= x);
        if above == 0 || above == breaks.len() {
            return f64::NEG_INFINITY;
        }
        let (low, high) = (breaks[above - 1].value(), breaks[above].value());
        self.log_flat(self.vector(0)[above - 1].log(), low, high, x)
    }

    /// Families that count: the logarithm of the probability of `k`.
    pub(super) fn log_count(&self, k: f64) -> f64 {
        if k < 0.0 {
            return f64::NEG_INFINITY;
        }
        match self.distribution.family {
            Family::Binomial(BinomialDistribution { trials }) if k > f64::from(trials) => {
                f64::NEG_INFINITY
            }
            Family::Hypergeometric(HypergeometricDistribution {
                population,
                successes,
                draws,
            }) => {
                let (low, high) = hypergeometric_range(population, successes, draws);
                match k < low as f64 || k > high as f64 {
                    true => f64::NEG_INFINITY,
                    false => Counts::of(self).log_p(k),
                }
            }
            _ => Counts::of(self).log_p(k),
        }
    }
}

fn entry_log(entries: &[Value], at: f64) -> f64 {
    let entry = (at >= 0.0).then(|| entries.get(at as usize)).flatten();
    entry.map_or(f64::NEG_INFINITY, |value| value.log())
}

/// The logarithm of the number of ways to choose `k` out of `n`.
pub(crate) fn log_choose(n: f64, k: f64) -> f64 {
    match k == 0.0 || k == n {
        true => 0.0,
        false => ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0),
    }
}
