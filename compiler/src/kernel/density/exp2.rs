//! Powers of two, by polynomials that compilers vectorise.
//!
//! A power is split into the nearest integer `k` and a rest `r` of at most one
//! half: `2^power = 2^k * e^(r ln 2)`. The first factor is added to the exponent
//! field, the second is the beginning of its series.

use pelton_macros::also_generated;
use std::f64::consts::LN_2;

/// Adding this number rounds a smaller one to the nearest integer, which is then
/// in the low bits.
pub(super) const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52

/// `ln(2)^n / n!`
const fn coefficients<const N: usize>() -> [f64; N] {
    let mut all = [1.0; N];
    let mut n = 1;
    while n < N {
        all[n] = all[n - 1] * LN_2 / n as f64;
        n += 1;
    }
    all
}

/// The series to where the next term is below 1e-17.
const DOUBLE: [f64; 14] = coefficients();

const fn single_coefficients() -> [f32; 8] {
    let exact = coefficients::<8>();
    let mut all = [0.0; 8];
    let mut n = 0;
    while n < 8 {
        all[n] = exact[n] as f32;
        n += 1;
    }
    all
}

/// The series to where the next term is below 1e-8.
const SINGLE: [f32; 8] = single_coefficients();

/// `2^power` in double precision, see [`Real::from_log2`](super::super::Real::from_log2).
#[also_generated]
#[inline(always)]
pub fn exp2_double(power: f64) -> f64 {
    let (low, high) = (-1022.0, 1024.0);
    // The nearest integer is in the low bits of the rounded sum; the rest is at most a half.
    let clamped = clamp(power, low, high);
    let rounded = clamped + ROUND;
    let r = clamped - (rounded - ROUND);
    // The series of the rest, from its smallest term up.
    let mut sum = DOUBLE[13];
    for &coefficient in DOUBLE[..13].iter().rev() {
        sum = sum * r + coefficient;
    }
    // The integer is added to the exponent field of what is between one half and two.
    let bits = sum.to_bits().wrapping_add(rounded.to_bits() << 52);
    let is_normal = power >= low;
    let inside = if is_normal { f64::from_bits(bits) } else { 0.0 };
    if power >= high { f64::INFINITY } else { inside }
}

/// `2^power` in single precision, see [`Real::from_log2`](super::super::Real::from_log2).
#[also_generated]
#[inline(always)]
pub(crate) fn exp2_single(power: f64) -> f32 {
    let (low, high) = (-126.0, 128.0);
    let clamped = clamp(power, low, high);
    let rounded = clamped + ROUND;
    let r = (clamped - (rounded - ROUND)) as f32;
    let mut sum = SINGLE[7];
    for &coefficient in SINGLE[..7].iter().rev() {
        sum = sum * r + coefficient;
    }
    let shift = (rounded.to_bits() as u32) << 23;
    let bits = sum.to_bits().wrapping_add(shift);
    let is_normal = power >= low;
    let inside = if is_normal { f32::from_bits(bits) } else { 0.0 };
    if power >= high { f32::INFINITY } else { inside }
}

/// `power` between two bounds; the lower one for NaN.
#[also_generated]
#[inline(always)]
pub(super) fn clamp(power: f64, low: f64, high: f64) -> f64 {
    let power = if power > low { power } else { low };
    if power < high { power } else { high }
}

#[cfg(test)]
mod tests {
    use crate::kernel::Real;

    #[test]
    fn powers_of_two_are_exact_enough() {
        let mut worst = (0.0_f64, 0.0_f64);
        for step in 0..200_000 {
            let power = -126.0 + 253.9 * f64::from(step) / 200_000.0;
            let exact = power.exp2();
            let single = f64::from(f32::from_log2(power));
            let ulp = f64::from(f32::EPSILON) * power.floor().exp2();
            worst.0 = worst.0.max((single - exact).abs() / ulp);
            let power = power * 8.0;
            let exact = power.exp2();
            worst.1 = worst
                .1
                .max((<f64 as Real>::from_log2(power) / exact - 1.0).abs());
        }
        assert!(worst.0 < 2.0 && worst.1 < 1e-15, "{worst:?}");
        for (power, value) in [(0.0, 1.0), (1.0, 2.0), (-126.0, 2_f64.powi(-126))] {
            assert_eq!(f64::from(<f32 as Real>::from_log2(power)), value);
            assert_eq!(<f64 as Real>::from_log2(power), value);
        }
        assert_eq!(<f32 as Real>::from_log2(-126.001), 0.0);
        assert_eq!(<f64 as Real>::from_log2(-1022.001), 0.0);
        assert_eq!(<f32 as Real>::from_log2(f64::NEG_INFINITY), 0.0);
        assert_eq!(<f32 as Real>::from_log2(f64::INFINITY), f32::INFINITY);
        assert_eq!(<f64 as Real>::from_log2(f64::INFINITY), f64::INFINITY);
        assert_eq!(<f64 as Real>::from_log2(2000.0), f64::INFINITY);
    }
}
