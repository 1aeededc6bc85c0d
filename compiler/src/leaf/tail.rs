//! Both tails of a distribution, as logarithms.

use super::Base;
use super::incomplete::{log_beta_tails, log_gamma_tails};
use super::log_space::{log_one_minus, log_power};
use super::normal::Place;
use crate::circuit::{
    BinomialDistribution, ExponentialDistribution, Family, GeometricDistribution,
    LogNormalDistribution, NegativeBinomialDistribution, NormalDistribution,
};

/// The logarithms of the mass below a place and of that above it. Each is
/// computed directly, so that neither is lost where the other is all but 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tails {
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

    pub(super) fn swap(self) -> Tails {
        Tails {
            below: self.above,
            above: self.below,
        }
    }
}

impl Base<'_> {
    /// The tails of a family on the real axis around `x`.
    pub(super) fn real_tails(&self, x: f64) -> Tails {
        let starts_at_zero =
            !matches!(self.distribution.family, Family::Normal(NormalDistribution));
        if x == f64::INFINITY {
            return Tails::END;
        }
        if x == f64::NEG_INFINITY || (starts_at_zero && x <= 0.0) {
            return Tails::START;
        }
        match self.distribution.family {
            Family::Normal(NormalDistribution) => self.normal_tails(x),
            Family::LogNormal(LogNormalDistribution) => self.normal_tails(x.ln()),
            Family::Exponential(ExponentialDistribution) => {
                geometric_tails(self.scalar(0).linear() * x)
            }
            _ => {
                let (shape, rate) = (self.scalar(0).linear(), self.scalar(1).linear());
                log_gamma_tails(shape, rate * x, rate.mul_add(x, -shape))
            }
        }
    }

    fn normal_tails(&self, x: f64) -> Tails {
        let place = Place::of(x, self.scalar(0).linear(), self.scalar(1).linear());
        match place.is_above() {
            true => {
                let above = place.log_above();
                let below = log_one_minus(above);
                Tails { below, above }
            }
            false => {
                let below = place.mirrored().log_above();
                let above = log_one_minus(below);
                Tails { below, above }
            }
        }
    }

    /// The tails of a family that counts: the mass of fewer than `k`, and of `k` or more.
    pub(super) fn count_tails(&self, k: f64) -> Tails {
        if k <= 0.0 {
            return Tails::START;
        }
        if k == f64::INFINITY {
            return Tails::END;
        }
        match self.distribution.family {
            Family::Binomial(BinomialDistribution { trials }) if k > f64::from(trials) => {
                Tails::END
            }
            Family::Binomial(BinomialDistribution { trials }) => {
                let rest = f64::from(trials) - k + 1.0;
                log_beta_tails(k, rest, &self.chance()).swap()
            }
            Family::Geometric(GeometricDistribution) => {
                geometric_tails(log_power(-k, self.chance().log_q))
            }
            Family::NegativeBinomial(NegativeBinomialDistribution { successes }) => {
                log_beta_tails(f64::from(successes), k, &self.chance())
            }
            // `k` or more events by time `rate` is the k-th event coming before it.
            _ => {
                let rate = self.scalar(0).linear();
                log_gamma_tails(k, rate, rate - k).swap()
            }
        }
    }
}

/// The tails where the mass above is `exp(-fall)`.
fn geometric_tails(fall: f64) -> Tails {
    Tails {
        below: log_one_minus(-fall),
        above: -fall,
    }
}
