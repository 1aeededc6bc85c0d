//! The logarithm of what a row is worth, in parts that can be compared.
//!
//! A cell far from every leaf makes all values tiny alike: what is common to the leaves
//! of its variable is set apart before sums are taken, and what rows are beside each
//! other is then a difference of small numbers. Every term of a smooth and decomposable
//! circuit has one leaf of each variable, so that all terms share what was set apart.

use crate::leaf::LongLog;

/// The logarithm of a row's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowLog {
    /// What tells rows of the same far cells apart.
    near: LongLog,
    /// What all leaves of far cells have in common.
    far: LongLog,
}

impl RowLog {
    /// The logarithm of 0.
    pub const ZERO: RowLog = RowLog {
        near: LongLog::ZERO,
        far: LongLog::ONE,
    };

    pub(super) fn new(near: LongLog, far: LongLog) -> Self {
        RowLog { near, far }
    }

    /// The logarithm of `value * 2^exponent`.
    pub fn scaled(value: f64, exponent: i32) -> Self {
        RowLog::from(value.ln()) + LongLog::of_power_of_two(exponent)
    }

    /// Whether the row is impossible.
    pub fn is_zero(self) -> bool {
        self.near.is_zero()
    }

    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        if self.is_zero() {
            f64::NEG_INFINITY
        } else {
            (self.near + self.far).to_f64()
        }
    }

    /// The logarithm of the quotient: what cells have in common counts no more. The other
    /// one is not zero.
    pub fn over(self, other: RowLog) -> f64 {
        if self.is_zero() {
            f64::NEG_INFINITY
        } else {
            ((self.near - other.near) + (self.far - other.far)).to_f64()
        }
    }

    /// Whether it is the larger one.
    pub fn exceeds(self, other: RowLog) -> bool {
        match (self.is_zero(), other.is_zero()) {
            (true, _) => false,
            (false, true) => true,
            (false, false) => self.over(other) > 0.0,
        }
    }

    /// How much less than the largest each of some logarithms is.
    pub fn relative(logs: &[RowLog]) -> Vec<f64> {
        let largest = largest(logs.iter().copied());
        logs.iter().map(|log| log.over(largest)).collect()
    }

    /// The logarithm of the sum of values given by their logarithms.
    pub fn sum(logs: impl IntoIterator<Item = RowLog> + Clone) -> RowLog {
        let largest = largest(logs.clone());
        if largest.is_zero() || largest.to_f64() == f64::INFINITY {
            return largest;
        }
        let terms = logs.into_iter().map(|log| log.over(largest).exp());
        let total: f64 = terms.sum();
        largest + total.ln().into()
    }
}

fn largest(logs: impl IntoIterator<Item = RowLog>) -> RowLog {
    let more = |best: RowLog, log: RowLog| if log.exceeds(best) { log } else { best };
    logs.into_iter().fold(RowLog::ZERO, more)
}

impl From<f64> for RowLog {
    fn from(log: f64) -> Self {
        RowLog::new(log.into(), LongLog::ONE)
    }
}

impl std::ops::Add<LongLog> for RowLog {
    type Output = RowLog;

    fn add(self, other: LongLog) -> RowLog {
        RowLog::new(self.near + other, self.far)
    }
}
