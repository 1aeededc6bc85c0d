//! A cell of a file that holds numbers instead of text.

use std::fmt;

/// A number as a file holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// A truth value, which is 0 or 1 where a number is asked for.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer that is not negative.
    Unsigned(u64),
    /// A floating-point number; NaN is a missing cell.
    Float(f64),
}

impl Number {
    /// Its value. Integers that `f64` cannot hold are rounded to ones that no
    /// domain of integers has.
    pub fn value(self) -> f64 {
        match self {
            Number::Bool(value) => f64::from(u8::from(value)),
            Number::Int(value) => value as f64,
            Number::Unsigned(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

/// As a cell of a text would have it: the integer 3 is `3`, even as `3.0`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Bool(value) => write!(f, "{value}"),
            Number::Int(value) => write!(f, "{value}"),
            Number::Unsigned(value) => write!(f, "{value}"),
            Number::Float(value) if value.fract() == 0.0 && value.abs() < 1e15 => {
                write!(f, "{value}")
            }
            Number::Float(value) => write!(f, "{value:?}"),
        }
    }
}
