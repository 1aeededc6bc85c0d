//! Families that count, with their parameters as numbers.

use super::log_space::log_power;
use super::saddle::{SuccessProbability, excess, log_binomial, log_poisson};
use crate::circuit::{Domain, ValueSet};
use pelton_macros::also_generated;

/// A distribution of counts. All of them are log-concave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CountDistribution {
    Poisson {
        rate: f64,
    },
    Binomial {
        trials: f64,
        chance: SuccessProbability,
    },
    /// Failures before a number of successes.
    Waiting {
        successes: f64,
        chance: SuccessProbability,
    },
    /// Good ones among some drawn without replacement.
    Drawing {
        good: f64,
        bad: f64,
        draws: f64,
    },
}

impl CountDistribution {
    /// The first and the last count with any probability.
    pub fn range(&self) -> Option<(f64, f64)> {
        match *self {
            CountDistribution::Poisson { .. } => Some((0.0, f64::INFINITY)),
            CountDistribution::Binomial { chance, .. } if chance.p <= 0.0 => Some((0.0, 0.0)),
            CountDistribution::Binomial { trials, chance } if chance.q <= 0.0 => {
                Some((trials, trials))
            }
            CountDistribution::Binomial { trials, .. } => Some((0.0, trials)),
            CountDistribution::Waiting { successes, chance }
                if chance.q <= 0.0 || successes == 0.0 =>
            {
                Some((0.0, 0.0))
            }
            CountDistribution::Waiting { chance, .. } => {
                (chance.p > 0.0).then_some((0.0, f64::INFINITY))
            }
            CountDistribution::Drawing { good, bad, draws } => {
                let (first, last) = ((draws - bad).max(0.0), draws.min(good));
                (first <= last).then_some((first, last))
            }
        }
    }

    /// A likeliest count.
    pub fn mode(&self) -> f64 {
        match *self {
            CountDistribution::Poisson { rate } => rate.floor(),
            CountDistribution::Binomial { trials, chance } => {
                ((trials + 1.0) * chance.p).floor().min(trials)
            }
            CountDistribution::Waiting { successes, chance } => {
                ((successes - 1.0).max(0.0) * chance.q / chance.p).floor()
            }
            CountDistribution::Drawing { good, bad, draws } => {
                ((draws + 1.0) * (good + 1.0) / (good + bad + 2.0)).floor()
            }
        }
    }

    /// The same among the values of domains.
    pub fn peak(&self) -> f64 {
        // The larger operand also replaces a quotient of two zeros.
        self.mode().max(0.0).min(Domain::LARGEST_INT as f64)
    }

    /// Where the mass of what is drawn without replacement lies in a set, but for what
    /// nobody draws: all that is within a dozen standard deviations, which are at most half
    /// the root of the number of draws.
    pub fn window(&self, members: &ValueSet) -> Option<(f64, f64)> {
        let CountDistribution::Drawing { draws, .. } = *self else {
            return None;
        };
        let (Some(first), Some(last)) = (members.runs().first(), members.runs().last()) else {
            return Some((0.0, 0.0));
        };
        let (first, last) = (first.0.value(), last.1.value());
        let peak = self.peak().max(first).min(last - 1.0);
        let reach = 16.0 + 6.0 * draws.sqrt();
        let (low, high) = ((peak - reach).floor(), (peak + reach).ceil());
        Some((first.max(low), last.min(high)))
    }

    /// The logarithm of the probability of `k + 1` relative to that of `k`.
    pub fn log_ratio(&self, k: f64) -> f64 {
        match *self {
            CountDistribution::Poisson { rate } => (rate / (k + 1.0)).ln(),
            CountDistribution::Binomial { trials, chance } => {
                ((trials - k) / (k + 1.0) * (chance.p / chance.q)).ln()
            }
            CountDistribution::Waiting { successes, chance } => {
                ((successes - 1.0) / (k + 1.0)).ln_1p() + chance.log_q
            }
            CountDistribution::Drawing { good, bad, draws } => {
                let left = (good - k) * (draws - k);
                (left / ((k + 1.0) * (bad - draws + k + 1.0))).ln()
            }
        }
    }

    /// The logarithm of the probability of `x`, which is inside the range and need not be
    /// whole.
    pub fn log_p(&self, x: f64) -> f64 {
        match *self {
            CountDistribution::Poisson { rate } => log_poisson(x, rate, x - rate),
            CountDistribution::Binomial { trials, chance } => log_successes(&chance, trials, x),
            CountDistribution::Waiting { successes, chance } => log_waiting(&chance, successes, x),
            CountDistribution::Drawing { good, bad, draws } => {
                log_drawing(&share(draws, good + bad), good, bad, draws, x)
            }
        }
    }
}

/// The logarithm of the probability of so many successes in trials.
#[also_generated]
pub(crate) fn log_successes(chance: &SuccessProbability, trials: f64, x: f64) -> f64 {
    log_binomial(x, trials, chance, excess(chance, x, trials))
}

/// The logarithm of the probability of so many failures before some successes.
#[also_generated]
pub(crate) fn log_waiting(chance: &SuccessProbability, successes: f64, x: f64) -> f64 {
    if successes == 1.0 || x == 0.0 {
        return log_power(successes, chance.log_p) + log_power(x, chance.log_q);
    }
    let all = successes + x;
    let distance = excess(chance, successes, all);
    (successes / all).ln() + log_binomial(successes, all, chance, distance)
}

/// The logarithm of the probability of so many good ones among those that are drawn;
/// `chance` is their [`share`].
#[also_generated]
pub(crate) fn log_drawing(
    chance: &SuccessProbability,
    good: f64,
    bad: f64,
    draws: f64,
    x: f64,
) -> f64 {
    let all = good + bad;
    let distance = above_mean(x, good, draws, all);
    log_binomial(x, good, chance, distance) + log_binomial(draws - x, bad, chance, -distance)
        - log_binomial(draws, all, chance, 0.0)
}

/// The chance of each of all to be among those that are drawn.
pub(crate) fn share(draws: f64, all: f64) -> SuccessProbability {
    let (q, p) = ((all - draws) / all, draws / all);
    // A chance close to 1 was rounded; the other one says what is missing.
    let log = |own: f64, other: f64| {
        if own > 0.5 {
            (-other).ln_1p()
        } else {
            own.ln()
        }
    };
    let (log_q, log_p) = (log(q, p), log(p, q));
    SuccessProbability { q, p, log_q, log_p }
}

/// How far `x` lies above `good * draws / all`: the products are larger than numbers that
/// are exact, so what rounding takes from one is taken from the other.
#[also_generated]
fn above_mean(x: f64, good: f64, draws: f64, all: f64) -> f64 {
    let product = good * draws;
    let rest = good.mul_add(draws, -product);
    (x.mul_add(all, -product) - rest) / all
}
