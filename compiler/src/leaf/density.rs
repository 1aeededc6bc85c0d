//! Probabilities and densities at a point, before truncation.

use super::Base;
use super::log_space::log_power;
use super::support::{bin, hypergeometric_range};
use crate::circuit::{Bound, Family, Value};
use statrs::function::gamma::ln_gamma;

/// Half the logarithm of 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_7;

impl Base<'_> {
    /// The logarithm of the density at `x`, a value of the domain.
    pub(super) fn log_density(&self, x: f64) -> f64 {
        match &self.distribution.family {
            Family::Bernoulli => entry_log(self.vector(0), x),
            Family::Categorical => entry_log(self.vector(0), x - self.domain.first()),
            Family::Normal => self.log_normal_density(x),
            // The density of the logarithm, times the slope of the logarithm.
            Family::LogNormal if x > 0.0 => self.log_normal_density(x.ln()) - x.ln(),
            Family::Exponential if x >= 0.0 => {
                let rate = self.scalar(0);
                rate.log() - rate.linear() * x
            }
            Family::Gamma if x > 0.0 => {
                let (shape, rate) = (self.scalar(0).linear(), self.scalar(1));
                log_power(shape, rate.log()) + log_power(shape - 1.0, x.ln())
                    - rate.linear() * x
                    - ln_gamma(shape)
            }
            Family::LogNormal | Family::Exponential | Family::Gamma => f64::NEG_INFINITY,
            Family::Uniform { low, high } => self.log_flat(0.0, low.value(), high.value(), x),
            Family::Histogram { breaks } => self.log_histogram(breaks, x),
            _ => self.log_count(x),
        }
    }

    fn log_normal_density(&self, x: f64) -> f64 {
        let sd = self.scalar(1);
        let z = (x - self.scalar(0).linear()) / sd.linear();
        -0.5 * z * z - sd.log() - HALF_LN_TAU
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
            Family::Binomial { trials } if k <= f64::from(trials) => {
                let (trials, (log_q, log_p)) = (f64::from(trials), self.log_unit());
                log_choose(trials, k) + log_power(k, log_p) + log_power(trials - k, log_q)
            }
            Family::Geometric => {
                let (log_q, log_p) = self.log_unit();
                log_p + log_power(k, log_q)
            }
            Family::NegativeBinomial { successes } => {
                let (r, (log_q, log_p)) = (f64::from(successes), self.log_unit());
                log_choose(k + r - 1.0, k) + log_power(r, log_p) + log_power(k, log_q)
            }
            Family::Hypergeometric {
                population,
                successes,
                draws,
            } => log_hypergeometric(population, successes, draws, k),
            Family::Poisson => {
                let rate = self.scalar(0);
                log_power(k, rate.log()) - rate.linear() - ln_gamma(k + 1.0)
            }
            _ => f64::NEG_INFINITY,
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

/// The logarithm of the probability of `k` successes among the draws.
pub(crate) fn log_hypergeometric(population: u32, successes: u32, draws: u32, k: f64) -> f64 {
    let (low, high) = hypergeometric_range(population, successes, draws);
    if k < low as f64 || k > high as f64 {
        return f64::NEG_INFINITY;
    }
    let (all, good) = (f64::from(population), f64::from(successes));
    let draws = f64::from(draws);
    log_choose(good, k) + log_choose(all - good, draws - k) - log_choose(all, draws)
}
