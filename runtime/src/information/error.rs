//! Why there is no answer.

use crate::model::CompileError;
use pelton_compiler::tractability::Refusal;
use std::fmt;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum InformationError {
    /// The circuit does not have what the question needs.
    Refused(Box<Refusal>),
    /// The circuit does not allow what is asked.
    Structure(String),
    /// The circuits, or the variables asked for, do not go together.
    Mismatch(String),
    /// What is known has probability zero.
    Impossible(String),
    /// A result is not a number.
    Numeric(String),
    /// A circuit could not be compiled.
    Compile(CompileError),
}

impl fmt::Display for InformationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InformationError::Refused(refusal) => refusal.fmt(f),
            InformationError::Structure(message)
            | InformationError::Mismatch(message)
            | InformationError::Impossible(message)
            | InformationError::Numeric(message) => f.write_str(message),
            InformationError::Compile(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InformationError {}

impl From<Refusal> for InformationError {
    fn from(refusal: Refusal) -> Self {
        InformationError::Refused(Box::new(refusal))
    }
}

impl From<CompileError> for InformationError {
    fn from(error: CompileError) -> Self {
        InformationError::Compile(error)
    }
}

/// A number that is one.
pub(super) fn finite(number: f64, what: &str) -> Result<f64, InformationError> {
    match number.is_finite() {
        true => Ok(number),
        false => Err(InformationError::Numeric(format!(
            "{what} is not a finite number; are weights or parameters too large?"
        ))),
    }
}
