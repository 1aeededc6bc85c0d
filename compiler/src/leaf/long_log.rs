//! Logarithms with twice the digits.
//!
//! The logarithm of a normal density a billion deviations out is -5e17, of which a double
//! knows nothing finer than 64. What such densities are beside each other is a question
//! of their differences, which may be small: so logarithms are added up as a double and
//! what its rounding left out.

use crate::circuit::ParameterValue;
use std::f64::consts::{LN_2, SQRT_2};
use std::ops::{Add, Neg, Sub};

/// A logarithm as the sum of two doubles, the second of which is what rounding the sum to
/// the first leaves out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongLog {
    high: f64,
    low: f64,
}

/// Logarithms up to this are known to about 1e-13 as single doubles. Of larger ones the large
/// terms are computed with twice the digits; terms that leaves share, such as those of
/// factorials, cancel whatever their digits.
pub(crate) const FAR: f64 = 1024.0;

/// What `LN_2` leaves out of the logarithm of 2.
const LN_2_LOW: f64 = 2.319_046_813_846_299_6e-17;

impl LongLog {
    /// The logarithm of 0.
    pub const ZERO: LongLog = LongLog {
        high: f64::NEG_INFINITY,
        low: 0.0,
    };

    /// The logarithm of 1.
    pub const ONE: LongLog = LongLog {
        high: 0.0,
        low: 0.0,
    };

    /// Whether this is the logarithm of 0.
    pub fn is_zero(self) -> bool {
        self.high == f64::NEG_INFINITY
    }

    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        self.high
    }

    /// The logarithm of `2^exponent`.
    pub fn of_power_of_two(exponent: i32) -> LongLog {
        LongLog {
            high: LN_2,
            low: LN_2_LOW,
        }
        .times(f64::from(exponent))
    }

    /// The product of two doubles, with all its digits.
    pub(crate) fn product(a: f64, b: f64) -> LongLog {
        let high = a * b;
        LongLog::of(high, a.mul_add(b, -high))
    }

    /// The logarithm of a number.
    pub(crate) fn ln(x: f64) -> LongLog {
        if !x.is_normal() || x < 0.0 {
            return x.ln().into();
        }
        // The number is 2^exponent times one near 1, of which the series of
        // ln((1 + s) / (1 - s)) gives a digit and a half a term.
        const TERMS: u32 = 23;
        let field = (x.to_bits() >> 52) as i32 - 1023;
        let near_one = f64::from_bits((x.to_bits() & ((1 << 52) - 1)) | (1023 << 52));
        let (near_one, exponent) = if near_one > SQRT_2 {
            (near_one / 2.0, field + 1)
        } else {
            (near_one, field)
        };
        let s = LongLog::from(near_one - 1.0).over(LongLog::from(near_one) + 1.0.into());
        let square = s.squared();
        let term = |at: u32| LongLog::ONE_AS_NUMBER.over(f64::from(2 * at + 1).into());
        let series = (0..TERMS)
            .rev()
            .fold(LongLog::ONE, |rest, at| rest.by(square) + term(at));
        s.by(series).times(2.0) + LongLog::of_power_of_two(exponent)
    }

    /// 1, where numbers are no logarithms.
    const ONE_AS_NUMBER: LongLog = LongLog {
        high: 1.0,
        low: 0.0,
    };

    /// The logarithm of a power of the number, `times` of it multiplied; nothing of anything
    /// is 1.
    pub(crate) fn times(self, times: f64) -> LongLog {
        if times == 0.0 {
            LongLog::ONE
        } else {
            let product = LongLog::product(self.high, times);
            LongLog::of(product.high, self.low.mul_add(times, product.low))
        }
    }

    /// The square of what is no logarithm here, but a number.
    pub(crate) fn squared(self) -> LongLog {
        self.by(self)
    }

    fn by(self, other: LongLog) -> LongLog {
        let product = LongLog::product(self.high, other.high);
        let cross = self.high.mul_add(other.low, self.low * other.high);
        LongLog::of(product.high, product.low + cross)
    }

    /// The quotient of two that are numbers.
    pub(crate) fn over(self, other: LongLog) -> LongLog {
        let first = self.high / other.high;
        let rest = self - other.times(first);
        let second = rest.high / other.high;
        let rest = rest - other.times(second);
        LongLog::of(first, second) + (rest.high / other.high).into()
    }

    /// A sum that keeps what rounding leaves out; infinite ones leave out nothing.
    fn of(a: f64, b: f64) -> LongLog {
        let high = a + b;
        if !high.is_finite() {
            return LongLog { high, low: 0.0 };
        }
        let back = high - a;
        LongLog {
            high,
            low: (a - (high - back)) + (b - back),
        }
    }

    /// The logarithm of the sum of numbers given by their logarithms.
    pub fn sum(logs: impl IntoIterator<Item = LongLog>) -> LongLog {
        let (mut largest, mut sum) = (LongLog::ZERO, 0.0);
        for log in logs {
            // Zeros add nothing, and their difference to another zero would be NaN.
            if log.is_zero() {
                continue;
            }
            if log > largest {
                sum = sum * (largest - log).to_f64().exp() + 1.0;
                largest = log;
            } else {
                sum += (log - largest).to_f64().exp();
            }
        }
        if largest.high.is_infinite() {
            largest
        } else {
            largest + sum.ln().into()
        }
    }

    /// How much less than the largest each of some logarithms is.
    pub fn relative(logs: &[LongLog]) -> Vec<f64> {
        let more = |best: LongLog, log: &LongLog| if *log > best { *log } else { best };
        let largest = logs.iter().fold(LongLog::ZERO, more);
        let below = |log: &LongLog| {
            if log.is_zero() {
                f64::NEG_INFINITY
            } else {
                (*log - largest).to_f64()
            }
        };
        logs.iter().map(below).collect()
    }
}

impl From<ParameterValue> for LongLog {
    fn from(value: ParameterValue) -> LongLog {
        match value {
            ParameterValue::Linear(x) => LongLog::ln(x),
            ParameterValue::Log(log) => log.into(),
        }
    }
}

impl From<f64> for LongLog {
    fn from(log: f64) -> Self {
        LongLog {
            high: log,
            low: 0.0,
        }
    }
}

impl Add for LongLog {
    type Output = LongLog;

    fn add(self, other: LongLog) -> LongLog {
        let high = LongLog::of(self.high, other.high);
        if !high.high.is_finite() {
            return high;
        }
        let low = LongLog::of(self.low, other.low);
        let both = LongLog::of(high.high, high.low + low.high);
        LongLog::of(both.high, both.low + low.low)
    }
}

impl Neg for LongLog {
    type Output = LongLog;

    fn neg(self) -> LongLog {
        LongLog {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Sub for LongLog {
    type Output = LongLog;

    fn sub(self, other: LongLog) -> LongLog {
        self + -other
    }
}

impl PartialOrd for LongLog {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        let of_high = self.high.partial_cmp(&other.high)?;
        Some(of_high.then(self.low.partial_cmp(&other.low)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_survive_beside_large_ones() {
        let far = LongLog::product(-1e9, 1e9 / 2.0);
        let sum = LongLog::sum([far + 0.9_f64.ln().into(), far + 0.1_f64.ln().into()]);
        assert!((sum - far).to_f64().abs() < 1e-13);
    }

    #[test]
    fn logarithms_have_twice_the_digits() {
        // The digits beyond a double, by 60 digits of mpmath.
        for (x, low) in [
            (3.0, -9.071_297_235_001_53e-17),
            (10.0, -2.170_756_223_382_249_4e-16),
            (1e9, 7.108_546_580_563_512e-16),
            (0.7, 4.825_563_799_376_62e-18),
        ] {
            let found = LongLog::ln(x);
            assert_eq!(found.high, f64::ln(x));
            assert!(
                (found.low - low).abs() < 1e-30_f64.max(1e-14 * low.abs()),
                "{x}: {found:?}"
            );
        }
        assert_eq!(LongLog::ln(0.0).to_f64(), f64::NEG_INFINITY);
        assert_eq!(LongLog::ln(5e-324).to_f64(), 5e-324_f64.ln());
    }

    #[test]
    fn infinite_ones_stay() {
        assert!((LongLog::ZERO + 5.0.into()).is_zero());
        assert!(LongLog::sum([LongLog::ZERO, LongLog::ZERO]).is_zero());
        assert!(LongLog::sum([]).is_zero());
        let infinite = LongLog::sum([f64::INFINITY.into(), 1.0.into(), f64::INFINITY.into()]);
        assert_eq!(infinite.to_f64(), f64::INFINITY);
        assert_eq!(
            LongLog::relative(&[LongLog::ZERO, 3.0.into()]),
            [f64::NEG_INFINITY, 0.0]
        );
    }
}
