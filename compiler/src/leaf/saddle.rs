//! Probabilities of counts without large logarithms that cancel.
//!
//! Loader's form: Stirling's formula is taken out of every factorial, and what is
//! left is a correction and the deviance from the mean. The mean's distance is
//! handed in, because the difference of two huge numbers would lose it.

use super::gamma::ln_gamma;
use super::log_space::log_power;
use super::remainder::{ln_1p_minus, ln_gamma_1p};
use pelton_macros::also_generated;
use std::f64::consts::TAU;

/// The logarithm of `rate^k exp(-rate) / k!`, where `k` lies `distance` above the rate.
/// Neither needs to be whole.
#[also_generated]
pub(crate) fn log_poisson(k: f64, rate: f64, distance: f64) -> f64 {
    if k < 0.5 {
        return log_power(k, rate.ln()) - rate - ln_gamma_1p(k);
    }
    -correction(k) - deviance(k, rate, distance) - 0.5 * (TAU * k).ln()
}

/// The logarithm of the gamma density at `x`.
#[also_generated]
pub(crate) fn log_gamma_density(shape: f64, rate: f64, x: f64) -> f64 {
    let mean = rate * x;
    if mean < f64::MIN_POSITIVE {
        // Nothing is close to the peak then, and nothing cancels.
        return shape * (rate.ln() + x.ln()) - x.ln() - ln_gamma(shape);
    }
    let distance = (-rate).mul_add(x, shape);
    log_poisson(shape, mean, distance) + shape.ln() - x.ln()
}

/// The chances of failure and of success, and their logarithms.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SuccessProbability {
    pub q: f64,
    pub p: f64,
    pub log_q: f64,
    pub log_p: f64,
}

/// How far `k` successes in `n` trials lie above the mean: by the smaller chance, which
/// has all its digits, and rounded once.
#[also_generated]
pub(crate) fn excess(chance: &SuccessProbability, k: f64, n: f64) -> f64 {
    if chance.p <= 0.5 {
        return (-n).mul_add(chance.p, k);
    }
    n.mul_add(chance.q, -(n - k))
}

/// The logarithm of the probability of `k` successes in `n` trials, which lie `distance`
/// above the mean. Neither needs to be whole.
#[also_generated]
pub(crate) fn log_binomial(k: f64, n: f64, chance: &SuccessProbability, distance: f64) -> f64 {
    let rest = n - k;
    if k == 0.0 {
        return log_power(n, chance.log_q);
    }
    if rest == 0.0 {
        return log_power(n, chance.log_p);
    }
    let corrections = correction(n) - correction(k) - correction(rest);
    let (own, other) = (n * chance.p, n * chance.q);
    let deviances = deviance(k, own, distance) + deviance(rest, other, -distance);
    corrections - deviances + 0.5 * (n / (TAU * k * rest)).ln()
}

/// From here on Stirling's series has all digits of what his formula misses.
pub(crate) const SERIES_FROM: f64 = 16.0;

/// Its coefficients, the last first; signs alternate.
pub(crate) const SERIES: [f64; 6] = [
    691.0 / 360_360.0,
    1.0 / 1188.0,
    1.0 / 1680.0,
    1.0 / 1260.0,
    1.0 / 360.0,
    1.0 / 12.0,
];

/// What Stirling's formula misses of the logarithm of `x!`.
#[also_generated]
fn correction(x: f64) -> f64 {
    // Down from where the series is exact; each step is what Stirling's formula misses of
    // one factor.
    let (mut x, mut sum) = (x, 0.0);
    while x < SERIES_FROM {
        let u = 1.0 / x;
        sum += (x + 0.5) * ln_1p_minus(u) + 0.5 * u;
        x += 1.0;
    }
    let u = 1.0 / x;
    let v = u * u;
    let mut series = SERIES[0];
    for &c in &SERIES[1..] {
        series = c - v * series;
    }
    sum + u * series
}

/// `x log(x / mean) + mean - x` where `x` lies `distance` above the mean.
#[also_generated]
fn deviance(x: f64, mean: f64, distance: f64) -> f64 {
    let share = -distance / x;
    if share.abs() < 0.5 {
        return -x * ln_1p_minus(share);
    }
    // A mean that is far smaller is not what the distance leaves of `x`.
    -x * (mean / x).ln() - distance
}
