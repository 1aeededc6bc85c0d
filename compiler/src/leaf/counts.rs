//! Families that count, with their parameters as numbers.

use super::Base;
use super::log_space::log_power;
use super::saddle::{Chance, log_binomial, log_poisson};
use crate::circuit::{
    BinomialDistribution, Family, GeometricDistribution, HypergeometricDistribution,
    NegativeBinomialDistribution,
};

/// A distribution of counts. All of them are log-concave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Counts {
    Poisson {
        rate: f64,
    },
    Binomial {
        trials: f64,
        chance: Chance,
    },
    /// Failures before a number of successes.
    Waiting {
        successes: f64,
        chance: Chance,
    },
    /// Good ones among some drawn without replacement.
    Drawing {
        good: f64,
        bad: f64,
        draws: f64,
    },
}

impl Counts {
    pub(super) fn of(base: &Base) -> Self {
        let waiting = |successes: u32| Counts::Waiting {
            successes: f64::from(successes),
            chance: base.chance(),
        };
        match base.distribution.family {
            Family::Binomial(BinomialDistribution { trials }) => Counts::Binomial {
                trials: f64::from(trials),
                chance: base.chance(),
            },
            Family::Geometric(GeometricDistribution) => waiting(1),
            Family::NegativeBinomial(NegativeBinomialDistribution { successes }) => {
                waiting(successes)
            }
            Family::Hypergeometric(HypergeometricDistribution {
                population,
                successes,
                draws,
            }) => Counts::drawing(population, successes, draws),
            _ => Counts::Poisson {
                rate: base.scalar(0).linear(),
            },
        }
    }

    /// Good ones among some drawn without replacement.
    pub fn drawing(population: u32, successes: u32, draws: u32) -> Self {
        Counts::Drawing {
            good: f64::from(successes),
            bad: f64::from(population.saturating_sub(successes)),
            draws: f64::from(draws),
        }
    }

    /// The first and the last count with any probability.
    pub fn range(&self) -> Option<(f64, f64)> {
        match *self {
            Counts::Poisson { .. } => Some((0.0, f64::INFINITY)),
            Counts::Binomial { chance, .. } if chance.p <= 0.0 => Some((0.0, 0.0)),
            Counts::Binomial { trials, chance } if chance.q <= 0.0 => Some((trials, trials)),
            Counts::Binomial { trials, .. } => Some((0.0, trials)),
            Counts::Waiting { successes, chance } if chance.q <= 0.0 || successes == 0.0 => {
                Some((0.0, 0.0))
            }
            Counts::Waiting { chance, .. } => (chance.p > 0.0).then_some((0.0, f64::INFINITY)),
            Counts::Drawing { good, bad, draws } => {
                let (first, last) = ((draws - bad).max(0.0), draws.min(good));
                (first <= last).then_some((first, last))
            }
        }
    }

    /// A likeliest count.
    pub fn mode(&self) -> f64 {
        match *self {
            Counts::Poisson { rate } => rate.floor(),
            Counts::Binomial { trials, chance } => ((trials + 1.0) * chance.p).floor().min(trials),
            Counts::Waiting { successes, chance } => {
                ((successes - 1.0).max(0.0) * chance.q / chance.p).floor()
            }
            Counts::Drawing { good, bad, draws } => {
                ((draws + 1.0) * (good + 1.0) / (good + bad + 2.0)).floor()
            }
        }
    }

    /// The logarithm of the probability of `k + 1` relative to that of `k`.
    pub fn log_ratio(&self, k: f64) -> f64 {
        match *self {
            Counts::Poisson { rate } => (rate / (k + 1.0)).ln(),
            Counts::Binomial { trials, chance } => {
                ((trials - k) / (k + 1.0) * (chance.p / chance.q)).ln()
            }
            Counts::Waiting { successes, chance } => {
                ((successes - 1.0) / (k + 1.0)).ln_1p() + chance.log_q
            }
            Counts::Drawing { good, bad, draws } => {
                let left = (good - k) * (draws - k);
                (left / ((k + 1.0) * (bad - draws + k + 1.0))).ln()
            }
        }
    }

    /// The logarithm of the probability of `x`, which is inside the range and need not be
    /// whole.
    pub fn log_p(&self, x: f64) -> f64 {
        match *self {
            Counts::Poisson { rate } => log_poisson(x, rate, x - rate),
            Counts::Binomial { trials, chance } => {
                log_binomial(x, trials, &chance, chance.distance(x, trials))
            }
            Counts::Waiting { successes, chance } if successes == 1.0 || x == 0.0 => {
                log_power(successes, chance.log_p) + log_power(x, chance.log_q)
            }
            Counts::Waiting { successes, chance } => {
                let all = successes + x;
                let distance = chance.distance(successes, all);
                (successes / all).ln() + log_binomial(successes, all, &chance, distance)
            }
            Counts::Drawing { good, bad, draws } => {
                let all = good + bad;
                let chance = share(draws, all);
                let distance = above_mean(x, good, draws, all);
                log_binomial(x, good, &chance, distance)
                    + log_binomial(draws - x, bad, &chance, -distance)
                    - log_binomial(draws, all, &chance, 0.0)
            }
        }
    }
}

/// The chance of each of all to be among those that are drawn.
pub(crate) fn share(draws: f64, all: f64) -> Chance {
    let (q, p) = ((all - draws) / all, draws / all);
    let log = |own: f64, other: f64| match own > 0.5 {
        true => (-other).ln_1p(),
        false => own.ln(),
    };
    Chance {
        q,
        p,
        log_q: log(q, p),
        log_p: log(p, q),
    }
}

/// How far `x` lies above `good * draws / all`: the products are larger than numbers that
/// are exact, so what rounding takes from one is taken from the other.
fn above_mean(x: f64, good: f64, draws: f64, all: f64) -> f64 {
    let product = good * draws;
    let rest = good.mul_add(draws, -product);
    (x.mul_add(all, -product) - rest) / all
}
