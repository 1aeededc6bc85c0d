//! A cell of a file that holds numbers instead of text.

use std::fmt;

/// A number as a file holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FileNumber {
    /// A truth value, which is 0 or 1 where a number is asked for.
    Bool(bool),
    Int(i64),
    Unsigned(u64),
    /// A floating-point number; NaN is a missing cell.
    Float(f64),
}

impl FileNumber {
    /// Its value. Integers that `f64` cannot hold are rounded to ones that no
    /// domain of integers has.
    pub fn value(self) -> f64 {
        match self {
            FileNumber::Bool(value) => f64::from(u8::from(value)),
            FileNumber::Int(value) => value as f64,
            FileNumber::Unsigned(value) => value as f64,
            FileNumber::Float(value) => value,
        }
    }
}

/// As a cell of a text would have it: the integer 3 is `3`, even as `3.0`.
impl fmt::Display for FileNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileNumber::Bool(value) => write!(f, "{value}"),
            FileNumber::Int(value) => write!(f, "{value}"),
            FileNumber::Unsigned(value) => write!(f, "{value}"),
            FileNumber::Float(value) if value.fract() == 0.0 && value.abs() < 1e15 => {
                write!(f, "{value}")
            }
            FileNumber::Float(value) => write!(f, "{value:?}"),
        }
    }
}
