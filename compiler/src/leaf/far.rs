//! Densities far out, with more digits than a double has.
//!
//! Leaves that are about equally unlikely are told apart by the difference of large
//! logarithms. Where a logarithm is large, its large terms are computed with twice the
//! digits; terms that leaves share, such as those of factorials, cancel whatever their
//! digits.

use super::density::log_choose;
use super::{Base, LongLog};
use crate::circuit::{
    BinomialDistribution, ExponentialDistribution, Family, GammaDistribution,
    GeometricDistribution, LogNormalDistribution, NegativeBinomialDistribution, NormalDistribution,
    PoissonDistribution, Value,
};
use statrs::function::gamma::ln_gamma;

/// Logarithms up to this are known to about 1e-13.
pub(crate) const FAR: f64 = 1024.0;

/// Factors of a binomial coefficient that are multiplied one by one.
const FEW: u32 = 1024;

/// Half the logarithm of 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_7;

impl Base<'_> {
    /// The logarithm of the density at `x`, a value of the domain.
    pub(super) fn long_log_density(&self, x: f64) -> LongLog {
        let log = self.log_density(x);
        if !log.is_finite() || log.abs() <= FAR {
            return log.into();
        }
        match self.distribution.family {
            Family::Normal(NormalDistribution) => self.long_normal(x.into()),
            Family::LogNormal(LogNormalDistribution) => {
                let ln = LongLog::ln(x);
                self.long_normal(ln) - ln
            }
            Family::Exponential(ExponentialDistribution) => {
                let rate = self.scalar(0);
                long(rate) - LongLog::product(rate.linear(), x)
            }
            Family::Gamma(GammaDistribution) => {
                let (shape, rate) = (self.scalar(0).linear(), self.scalar(1));
                let powers = long(rate).times(shape) + LongLog::ln(x).times(shape - 1.0);
                powers - LongLog::product(rate.linear(), x) - ln_gamma(shape).into()
            }
            Family::Poisson(PoissonDistribution) => {
                let rate = self.scalar(0);
                let less = LongLog::from(rate.linear()) + ln_gamma(x + 1.0).into();
                long(rate).times(x) - less
            }
            Family::Binomial(BinomialDistribution { trials }) => {
                let (q, p) = self.long_unit();
                let trials = f64::from(trials);
                let ways = LongLog::from(log_choose(trials, x));
                ways + p.times(x) + q.times(trials - x)
            }
            Family::Geometric(GeometricDistribution) => {
                let (q, p) = self.long_unit();
                p + q.times(x)
            }
            Family::NegativeBinomial(NegativeBinomialDistribution { successes }) => {
                let (q, p) = self.long_unit();
                let ways = LongLog::from(log_failures(successes, x));
                ways + p.times(f64::from(successes)) + q.times(x)
            }
            _ => log.into(),
        }
    }

    fn long_normal(&self, x: LongLog) -> LongLog {
        let sd = self.scalar(1);
        let z = (x - self.scalar(0).linear().into()).over(sd.linear().into());
        -z.squared().times(0.5) - LongLog::from(sd.log() + HALF_LN_TAU)
    }

    /// The logarithms of `1 - p` and `p` of a `unit` parameter.
    fn long_unit(&self) -> (LongLog, LongLog) {
        let entries = self.vector(0);
        (long(entries[0]), long(entries[1]))
    }
}

fn long(value: Value) -> LongLog {
    match value {
        Value::Linear(x) => LongLog::ln(x),
        Value::Log(log) => log.into(),
    }
}

/// The logarithm of the ways to have `k` failures before so many successes: a product of
/// few factors keeps the digits that the difference of two factorials has not.
fn log_failures(successes: u32, k: f64) -> f64 {
    let r = f64::from(successes);
    match successes <= FEW {
        true => {
            let factors = (1..successes).map(|at| ((k + f64::from(at)) / f64::from(at)).ln());
            factors.sum()
        }
        false => log_choose(k + r - 1.0, k),
    }
}
