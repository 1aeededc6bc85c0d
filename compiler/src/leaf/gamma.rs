//! The logarithm of the gamma function, and what is made of it.

use statrs::function::gamma::ln_gamma;

/// The logarithm of the number of ways to choose `k` out of `n`.
pub(crate) fn log_choose(n: f64, k: f64) -> f64 {
    if k == 0.0 || k == n {
        0.0
    } else {
        ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)
    }
}
