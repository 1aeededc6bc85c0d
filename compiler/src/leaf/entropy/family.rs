//! Families that count, with their parameters as numbers.

use super::super::Base;
use super::saddle::{log_binomial, log_poisson};
use crate::circuit::Family;

/// A distribution of counts. All of them are log-concave.
#[derive(Clone, Copy, Debug)]
pub(in crate::leaf) enum Counts {
    Poisson {
        rate: f64,
    },
    Binomial {
        trials: f64,
        q: f64,
        p: f64,
    },
    /// Failures before a number of successes.
    Waiting {
        successes: f64,
        log_q: f64,
        q: f64,
        p: f64,
    },
    /// Good ones among some drawn without replacement.
    Drawing {
        good: f64,
        bad: f64,
        draws: f64,
    },
}

impl Counts {
    pub fn of(base: &Base) -> Self {
        let unit = || (base.vector(0)[0].linear(), base.vector(0)[1].linear());
        let waiting = |successes: u32| {
            let (q, p) = unit();
            // The logarithm of a number close to 1 is known from what is missing.
            let log_q = if p < 0.5 { (-p).ln_1p() } else { q.ln() };
            Counts::Waiting {
                successes: f64::from(successes),
                log_q,
                q,
                p,
            }
        };
        match base.distribution.family {
            Family::Binomial { trials } => {
                let (trials, (q, p)) = (f64::from(trials), unit());
                Counts::Binomial { trials, q, p }
            }
            Family::Geometric => waiting(1),
            Family::NegativeBinomial { successes } => waiting(successes),
            Family::Hypergeometric {
                population,
                successes,
                draws,
            } => Counts::Drawing {
                good: f64::from(successes),
                bad: f64::from(population.saturating_sub(successes)),
                draws: f64::from(draws),
            },
            _ => Counts::Poisson {
                rate: base.scalar(0).linear(),
            },
        }
    }

    /// The first and the last count with any probability.
    pub fn range(&self) -> Option<(f64, f64)> {
        match *self {
            Counts::Poisson { .. } => Some((0.0, f64::INFINITY)),
            Counts::Binomial { p, .. } if p <= 0.0 => Some((0.0, 0.0)),
            Counts::Binomial { trials, q, .. } if q <= 0.0 => Some((trials, trials)),
            Counts::Binomial { trials, .. } => Some((0.0, trials)),
            Counts::Waiting { successes, q, .. } if q <= 0.0 || successes == 0.0 => {
                Some((0.0, 0.0))
            }
            Counts::Waiting { p, .. } => (p > 0.0).then_some((0.0, f64::INFINITY)),
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
            Counts::Binomial { trials, p, .. } => ((trials + 1.0) * p).floor().min(trials),
            Counts::Waiting {
                successes, q, p, ..
            } => ((successes - 1.0).max(0.0) * q / p).floor(),
            Counts::Drawing { good, bad, draws } => {
                ((draws + 1.0) * (good + 1.0) / (good + bad + 2.0)).floor()
            }
        }
    }

    /// The logarithm of the probability of `k + 1` relative to that of `k`.
    pub fn log_ratio(&self, k: f64) -> f64 {
        match *self {
            Counts::Poisson { rate } => (rate / (k + 1.0)).ln(),
            Counts::Binomial { trials, q, p } => ((trials - k) / (k + 1.0) * (p / q)).ln(),
            Counts::Waiting {
                successes, log_q, ..
            } => ((successes - 1.0) / (k + 1.0)).ln_1p() + log_q,
            Counts::Drawing { good, bad, draws } => {
                let left = (good - k) * (draws - k);
                (left / ((k + 1.0) * (bad - draws + k + 1.0))).ln()
            }
        }
    }

    /// The logarithm of the probability of `x`, which is inside the range, away
    /// from its ends, and need not be whole.
    pub fn log_p(&self, x: f64) -> f64 {
        match *self {
            Counts::Poisson { rate } => log_poisson(x, rate),
            Counts::Binomial { trials, q, p } => log_binomial(x, trials, (q, p), x - trials * p),
            Counts::Waiting {
                log_q,
                p,
                successes: 1.0,
                ..
            } => p.ln() + x * log_q,
            Counts::Waiting {
                successes, q, p, ..
            } => {
                let (distance, all) = (successes * q - x * p, successes + x);
                (successes / all).ln() + log_binomial(successes, all, (q, p), distance)
            }
            Counts::Drawing { good, bad, draws } => {
                let share = draws / (good + bad);
                let unit = (1.0 - share, share);
                let distance = x - good * share;
                log_binomial(x, good, unit, distance)
                    + log_binomial(draws - x, bad, unit, -distance)
                    - log_binomial(draws, good + bad, unit, 0.0)
            }
        }
    }
}
