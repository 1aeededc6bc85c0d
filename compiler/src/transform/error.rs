//! Why a circuit cannot be made of another.

use std::fmt;

/// Why a circuit cannot be made of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransformError {
    /// What was asked for does not fit the circuits.
    Option(String),
    /// The circuits do not allow it.
    Circuit(String),
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
        }
    }
}

impl std::error::Error for TransformError {}
