//! Both tails of a distribution, as logarithms.

use super::counts::CountDistribution;
use super::incomplete::{log_beta_tails, log_gamma_tails};
use super::log_space::{log_one_minus, log_power};
use super::normal::StandardScore;

/// The logarithms of the mass below a place and of that above it. Each is
/// computed directly, so that neither is lost where the other is all but 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tails {
    pub below: f64,
    pub above: f64,
}

impl Tails {
    /// Before the support begins.
    pub(super) const START: Tails = Tails {
        below: f64::NEG_INFINITY,
        above: 0.0,
    };
    /// Behind its end.
    pub(super) const END: Tails = Tails {
        below: 0.0,
        above: f64::NEG_INFINITY,
    };

    /// Both, from the mass above.
    pub(super) fn from_above(above: f64) -> Tails {
        let below = log_one_minus(above);
        Tails { below, above }
    }

    /// Both, from the mass below.
    pub(super) fn from_below(below: f64) -> Tails {
        Tails::from_above(below).swap()
    }

    pub(super) fn swap(self) -> Tails {
        let (below, above) = (self.above, self.below);
        Tails { below, above }
    }
}

impl CountDistribution {
    /// The mass of fewer than `k`, and of `k` or more.
    pub fn tails(&self, k: f64) -> Tails {
        if k <= 0.0 {
            return Tails::START;
        }
        if k == f64::INFINITY {
            return Tails::END;
        }
        match *self {
            CountDistribution::Binomial { trials, .. } if k > trials => Tails::END,
            CountDistribution::Binomial { trials, chance } => {
                log_beta_tails(k, trials - k + 1.0, &chance).swap()
            }
            CountDistribution::Waiting {
                successes: 1.0,
                chance,
            } => geometric_tails(log_power(-k, chance.log_q)),
            CountDistribution::Waiting { successes, chance } => {
                log_beta_tails(successes, k, &chance)
            }
            // `k` or more events by time `rate` is the k-th event coming before it.
            CountDistribution::Poisson { rate } => log_gamma_tails(k, rate, rate - k).swap(),
            CountDistribution::Drawing { .. } => Tails {
                below: self.log_series(0.0, k),
                above: self.log_series(k, f64::INFINITY),
            },
        }
    }
}

/// The tails of a normal distribution.
pub(super) fn normal_tails(x: f64, mean: f64, sd: f64) -> Tails {
    let place = StandardScore::of(x, mean, sd);
    if place.is_above() {
        Tails::from_above(place.log_above())
    } else {
        Tails::from_above(place.mirrored().log_above()).swap()
    }
}

/// The tails where the mass above is `exp(-fall)`.
pub(super) fn geometric_tails(fall: f64) -> Tails {
    Tails::from_above(-fall)
}
