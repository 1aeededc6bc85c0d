//! Numbers from 0 up whose exponent has no bounds that matter.

use pelton_compiler::circuit::ParameterValue;
use std::ops::{Add, Mul};

/// `mantissa * 2^exponent` with a mantissa in `[1, 2)`, or 0.
///
/// Products over hundreds of potentials leave the range of `f64`, and a number that
/// vanishes would take a possible world with it. Within that range results are those
/// of `f64`, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ExtendedFloat {
    mantissa: f64,
    exponent: i64,
}

impl ExtendedFloat {
    pub const ZERO: ExtendedFloat = ExtendedFloat {
        mantissa: 0.0,
        exponent: 0,
    };

    pub const ONE: ExtendedFloat = ExtendedFloat {
        mantissa: 1.0,
        exponent: 0,
    };

    /// A finite number from 0 up.
    pub fn new(value: f64) -> Self {
        ExtendedFloat::settled(value, 0)
    }

    pub fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    /// The quotient; `divisor` is not 0.
    pub fn over(self, divisor: ExtendedFloat) -> ExtendedFloat {
        let exponent = self.exponent - divisor.exponent;
        ExtendedFloat::settled(self.mantissa / divisor.mantissa, exponent)
    }

    /// The number as a weight: a logarithm where `f64` would lose digits.
    pub fn value(self) -> ParameterValue {
        if self.is_zero() || (-1022..=1023).contains(&self.exponent) {
            ParameterValue::Linear(self.mantissa * power_of_two(self.exponent))
        } else {
            let log = self.mantissa.ln() + self.exponent as f64 * std::f64::consts::LN_2;
            ParameterValue::Log(log)
        }
    }

    /// `mantissa * 2^exponent` with a mantissa in `[1, 2)`.
    fn settled(mut mantissa: f64, mut exponent: i64) -> ExtendedFloat {
        if mantissa == 0.0 {
            return ExtendedFloat::ZERO;
        }
        // Numbers below the normal ones have their digits elsewhere.
        if !mantissa.is_normal() {
            mantissa *= power_of_two(64);
            exponent -= 64;
        }
        let own = i64::from((mantissa.to_bits() >> 52) as u16 & 0x7ff) - 1023;
        ExtendedFloat {
            mantissa: mantissa * power_of_two(-own),
            exponent: exponent + own,
        }
    }
}

/// `2^exponent` for exponents of normal numbers; -1023, which `settled` asks for at the
/// top of the range, is the one below them.
fn power_of_two(exponent: i64) -> f64 {
    2f64.powi(exponent as i32)
}

impl Mul for ExtendedFloat {
    type Output = ExtendedFloat;

    fn mul(self, other: ExtendedFloat) -> ExtendedFloat {
        let exponent = self.exponent + other.exponent;
        ExtendedFloat::settled(self.mantissa * other.mantissa, exponent)
    }
}

impl Add for ExtendedFloat {
    type Output = ExtendedFloat;

    fn add(self, other: ExtendedFloat) -> ExtendedFloat {
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        let (large, small) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        // Further apart than this the smaller one is below the last digit.
        let shift = small.exponent - large.exponent;
        if shift < -100 {
            return large;
        }
        let mantissa = large.mantissa + small.mantissa * power_of_two(shift);
        ExtendedFloat::settled(mantissa, large.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_range_come_back_bit_for_bit() {
        for value in [0.0, 1.0, 0.1, 3.75e300, 1e-300, f64::MAX, f64::MIN_POSITIVE] {
            assert_eq!(
                ExtendedFloat::new(value).value(),
                ParameterValue::Linear(value)
            );
        }
        let sum = ExtendedFloat::new(0.1) + ExtendedFloat::new(0.2);
        assert_eq!(sum.value(), ParameterValue::Linear(0.1 + 0.2));
        let product = ExtendedFloat::new(0.1) * ExtendedFloat::new(0.7);
        assert_eq!(product.value(), ParameterValue::Linear(0.1 * 0.7));
    }

    #[test]
    fn numbers_out_of_range_are_kept() {
        let tiny = ExtendedFloat::new(1e-200) * ExtendedFloat::new(1e-200);
        let ParameterValue::Log(log) = tiny.value() else {
            panic!("{tiny:?} is beyond the range");
        };
        assert!((log + 400.0 * std::f64::consts::LN_10).abs() < 1e-9);
        let ratio = tiny
            .over(ExtendedFloat::new(1e-300))
            .over(ExtendedFloat::new(1e-100));
        let ParameterValue::Linear(one) = ratio.value() else {
            panic!("{ratio:?} is in range");
        };
        assert!((one - 1.0).abs() < 1e-12);
        assert!(!(ExtendedFloat::new(5e-324) * ExtendedFloat::new(5e-324)).is_zero());
        assert_eq!(
            ExtendedFloat::new(5e-324) + ExtendedFloat::ZERO,
            ExtendedFloat::new(5e-324)
        );
    }
}
