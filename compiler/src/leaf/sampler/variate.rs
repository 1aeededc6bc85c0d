//! Random numbers that distributions are made from.

use super::super::remainder::ln_1p_minus;
use crate::choice::unit;
use rand::Rng;
use std::f64::consts::TAU;

/// A number between 0 and 1, neither of them.
pub(in crate::leaf) fn open_unit(random: &mut (impl Rng + ?Sized)) -> f64 {
    unit(random) + 0.5 / (1_u64 << 53) as f64
}

/// A standard normal number, by Box and Muller's method.
pub(in crate::leaf) fn normal(random: &mut (impl Rng + ?Sized)) -> f64 {
    let radius = (-2.0 * open_unit(random).ln()).sqrt();
    radius * (TAU * unit(random)).cos()
}

/// A gamma number of rate 1 and shape at least 1, by Marsaglia and Tsang's method.
pub(in crate::leaf) fn gamma(shape: f64, random: &mut (impl Rng + ?Sized)) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    // More than 95 in 100 tries are taken; that none of so many is cannot be seen.
    for _ in 0..1000 {
        let z = normal(random);
        let step = c * z;
        if step <= -1.0 {
            continue;
        }
        // The cube of 1 + step, less 1.
        let more = step * (3.0 + step * (3.0 + step));
        if open_unit(random).ln() < 0.5 * z * z + d * ln_1p_minus(more) {
            return d * (1.0 + more);
        }
    }
    d
}
