//! What losses of one number mean for a root; formulas that objects have, too.

use pelton_macros::also_generated;
use std::f64::consts::LN_2;

/// The logarithm of `value * 2^exponent`.
#[also_generated]
#[inline(always)]
pub fn log_scaled(value: f64, exponent: f64) -> f64 {
    value.ln() + exponent * LN_2
}

/// Whether a root is so large that losses do not matter: its logarithm, base 2, is at
/// least `log2_least` and finite.
#[also_generated]
pub fn covers_losses(root: f64, exponent: f64, log2_least: f64) -> bool {
    let log2 = root.log2() + exponent;
    log2 < f64::INFINITY && log2 >= log2_least
}

/// The derivative of a logarithm; zero where there is none.
#[also_generated]
#[inline(always)]
pub fn inverse_or_zero(value: f64) -> f64 {
    if value > 0.0 { 1.0 / value } else { 0.0 }
}

/// Bounds which part of a root was lost: each of `n_losses` is less than the smallest normal
/// number times its derivative, of which `total` is the sum where the root's is `start`. A
/// root that starts with nothing takes no part; not a number where nothing is known.
#[also_generated]
pub fn lost_part(total: f64, root: f64, start: f64, n_losses: f64, smallest: f64) -> f64 {
    let is_known = root > 0.0 && root < f64::INFINITY;
    if !is_known {
        return f64::NAN;
    }
    let scale = root * start;
    if scale > 0.0 {
        return total * n_losses * smallest / scale;
    }
    0.0
}
