//! Wright's omega function: the `w` with `w + ln w = x`.

use super::{greater, logarithm::ln};
use pelton_compiler::kernel::exp2_double;
use std::f64::consts::LOG2_E;

/// Below this the function is `e^x` to the last digit.
const SMALL: f64 = -50.0;

/// Above this it has a series that is worth beginning with.
pub(super) const LARGE: f64 = 4.0;

/// Wright's omega function of a real number.
#[inline(always)]
pub(super) fn omega(x: f64) -> f64 {
    let power = exp2_double(x * LOG2_E);
    let above = greater(x, 1.5);
    let start = if x > 1.5 {
        above - ln(above)
    } else {
        power / (1.0 + power)
    };
    let w = greater(start, f64::MIN_POSITIVE);
    let w = step(x, step(x, step(x, w)));
    if x < SMALL { power } else { w }
}

/// Omega of a number above [`LARGE`].
#[inline(always)]
pub(super) fn large(x: f64) -> f64 {
    let log = ln(x);
    let start = x - log + log / x * (1.0 + (log - 2.0) / (2.0 * x));
    step(x, step(x, start))
}

/// Omega of `x`, given that of a number that is smaller by `moved`. Exact only if
/// that is little, which it is in the end.
#[inline(always)]
pub(super) fn moved(x: f64, omega: f64, moved: f64) -> f64 {
    let part = 1.0 / (1.0 + omega);
    let along = moved * part;
    step(x, omega * (1.0 + along * (1.0 + 0.5 * along * part)))
}

/// One step of third order.
#[inline(always)]
fn step(x: f64, w: f64) -> f64 {
    let r = x - w - ln(w);
    let part = 1.0 / (1.0 + w);
    w + w * r * part * (1.0 + 0.5 * r * part * part)
}
