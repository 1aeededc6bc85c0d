//! Why a circuit cannot be made of another.

use crate::tractability::Refusal;
use std::fmt;

/// Why a circuit cannot be made of another.
#[derive(Clone, Debug, PartialEq)]
pub enum TransformError {
    /// What was asked for does not fit the circuits.
    Option(String),
    /// The circuits do not allow it.
    Circuit(String),
    /// The circuits do not have what it needs.
    Refused(Box<Refusal>),
    /// What is known has probability zero, or the product is zero everywhere.
    Zero(String),
    /// A mass or density is not a finite number.
    Numeric(String),
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransformError::Option(message)
            | TransformError::Circuit(message)
            | TransformError::Zero(message)
            | TransformError::Numeric(message) => f.write_str(message),
            TransformError::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for TransformError {}

impl From<Refusal> for TransformError {
    fn from(refusal: Refusal) -> Self {
        TransformError::Refused(Box::new(refusal))
    }
}
