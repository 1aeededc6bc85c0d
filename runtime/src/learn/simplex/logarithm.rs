//! Logarithms by a series that compilers vectorise.

use std::f64::consts::LN_2;

/// The bits of the square root of one half.
const HALF_ROOT: u64 = 0x3fe6_a09e_667f_3bcd;

/// The bits of 1.
const ONE: u64 = 0x3ff0_0000_0000_0000;

/// The bits of 2^52: with a small integer in its low bits, the sum of both.
const TO_FLOAT: u64 = 0x4330_0000_0000_0000;

/// 2^52 and the bias of exponents.
const FROM_FLOAT: f64 = 4_503_599_627_370_496.0 + 1023.0;

/// The natural logarithm of a positive normal number, to two units of the last place.
///
/// The number is a power of two times `m` between the roots of one half and of
/// two; with `s = (m - 1) / (m + 1)` the logarithm of `m` is `2 atanh(s)`, whose
/// series is summed to where the next term is below 1e-17.
#[inline(always)]
pub(super) fn ln(x: f64) -> f64 {
    let bits = x.to_bits().wrapping_add(ONE - HALF_ROOT);
    let exponent = f64::from_bits((bits >> 52) | TO_FLOAT) - FROM_FLOAT;
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) + HALF_ROOT);
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let fourth = square * square;
    let eighth = fourth * fourth;
    // Pairs first: a chain of ten steps would wait for each of them.
    let pair = |first: f64, second: f64| 1.0 / first + square * (1.0 / second);
    let low = pair(3.0, 5.0) + fourth * pair(7.0, 9.0);
    let high = pair(11.0, 13.0) + fourth * pair(15.0, 17.0);
    let sum = low + eighth * (high + eighth * pair(19.0, 21.0));
    let twice = 2.0 * s;
    exponent * LN_2 + (twice + twice * (square * sum))
}
