//! Probabilities of counts without large logarithms that cancel.
//!
//! Loader's form: Stirling's formula is taken out of every factorial, and what is
//! left is a correction and the deviance from the mean. The mean's distance is
//! handed in, because the difference of two huge numbers would lose it.

use statrs::function::gamma::ln_gamma;
use std::f64::consts::TAU;

/// The logarithm of the probability of `k` events at a rate.
pub(super) fn log_poisson(k: f64, rate: f64) -> f64 {
    -correction(k) - deviance(rate, k - rate) - 0.5 * (TAU * k).ln()
}

/// The logarithm of the probability of `k` successes in `n` trials, where `k` is
/// neither 0 nor `n` and lies `distance` above the mean.
pub(super) fn log_binomial(k: f64, n: f64, (q, p): (f64, f64), distance: f64) -> f64 {
    let rest = n - k;
    correction(n)
        - correction(k)
        - correction(rest)
        - deviance(n * p, distance)
        - deviance(n * q, -distance)
        + 0.5 * (n / (TAU * k * rest)).ln()
}

/// What Stirling's formula misses of the logarithm of `x!`.
fn correction(x: f64) -> f64 {
    if x < 16.0 {
        let half_ln_tau = 0.5 * TAU.ln();
        return ln_gamma(x + 1.0) - (x + 0.5) * x.ln() + x - half_ln_tau;
    }
    let u = 1.0 / x;
    let v = u * u;
    u * (1.0 / 12.0 - v * (1.0 / 360.0 - v * (1.0 / 1260.0 - v / 1680.0)))
}

/// `x log(x / mean) + mean - x` for `x = mean + distance`.
fn deviance(mean: f64, distance: f64) -> f64 {
    let u = distance / mean;
    if u.abs() > 0.1 {
        return (mean + distance) * u.ln_1p() - distance;
    }
    // mean · Σ (-u)^j / (j (j - 1)) from j = 2 on.
    let (mut sum, mut power) = (0.0, u);
    for j in 2..20 {
        power *= -u;
        sum -= power / f64::from(j * (j - 1));
    }
    mean * sum
}
