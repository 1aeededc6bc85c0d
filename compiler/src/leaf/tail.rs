//! Both tails of a distribution, as logarithms.

use super::Base;
use super::incomplete::{log_beta_tails, log_gamma_tails};
use super::log_space::{log_one_minus, log_power};
use crate::circuit::Family;
use statrs::function::erf::erfc;

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

    fn swap(self) -> Tails {
        Tails {
            below: self.above,
            above: self.below,
        }
    }
}

impl Base<'_> {
    /// The tails of a family on the real axis around `x`.
    pub(super) fn real_tails(&self, x: f64) -> Tails {
        let starts_at_zero = !matches!(self.distribution.family, Family::Normal);
        if x == f64::INFINITY {
            return Tails::END;
        }
        if x == f64::NEG_INFINITY || (starts_at_zero && x <= 0.0) {
            return Tails::START;
        }
        match self.distribution.family {
            Family::Normal => self.normal_tails(x),
            Family::LogNormal => self.normal_tails(x.ln()),
            Family::Exponential => geometric_tails(self.scalar(0).linear() * x),
            _ => log_gamma_tails(self.scalar(0).linear(), self.scalar(1).linear() * x),
        }
    }

    fn normal_tails(&self, x: f64) -> Tails {
        let z = (x - self.scalar(0).linear()) / self.scalar(1).linear();
        Tails {
            below: log_normal_below(z),
            above: log_normal_below(-z),
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
            Family::Binomial { trials } if k > f64::from(trials) => Tails::END,
            Family::Binomial { trials } => {
                let (q, p) = self.unit();
                log_beta_tails(k, f64::from(trials) - k + 1.0, p, q).swap()
            }
            Family::Geometric => geometric_tails(log_power(-k, self.log_unit().0)),
            Family::NegativeBinomial { successes } => {
                let (q, p) = self.unit();
                log_beta_tails(f64::from(successes), k, p, q)
            }
            // `k` or more events by time `rate` is the k-th event coming before it.
            _ => log_gamma_tails(k, self.scalar(0).linear()).swap(),
        }
    }

    fn unit(&self) -> (f64, f64) {
        let entries = self.vector(0);
        (entries[0].linear(), entries[1].linear())
    }
}

/// The tails where the mass above is `exp(-fall)`.
fn geometric_tails(fall: f64) -> Tails {
    Tails {
        below: log_one_minus(-fall),
        above: -fall,
    }
}

/// The logarithm of the standard normal's mass below `z`.
///
/// `erfc` underflows at z = -38; long before, its asymptotic series is exact to
/// the last digit.
fn log_normal_below(z: f64) -> f64 {
    if z > -30.0 {
        return (0.5 * erfc(-z * std::f64::consts::FRAC_1_SQRT_2)).ln();
    }
    let u = 1.0 / (z * z);
    let series = -u * (1.0 - 3.0 * u * (1.0 - 5.0 * u * (1.0 - 7.0 * u)));
    let half_ln_tau = 0.5 * std::f64::consts::TAU.ln();
    -0.5 * z * z - (-z).ln() - half_ln_tau + series.ln_1p()
}
