//! Why there is no answer.

use crate::model::CompileError;
use pelton_compiler::check::Refutation;
use std::fmt;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum InformationError {
    /// The circuit does not allow what is asked; with the place, where a sum that is
    /// not deterministic is the reason.
    Structure {
        /// One sentence.
        message: String,
        /// The sum and an input that shows it.
        refutation: Option<Refutation>,
    },
    /// The circuits, or the variables asked for, do not go together.
    Mismatch(String),
    /// What is known has probability zero.
    Impossible(String),
    /// A result is not a number.
    Numeric(String),
    /// A circuit could not be compiled.
    Compile(CompileError),
}

impl InformationError {
    /// The circuit does not allow it, and no single sum is the reason.
    pub(super) fn structure(message: String) -> Self {
        InformationError::Structure {
            message,
            refutation: None,
        }
    }
}

impl fmt::Display for InformationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InformationError::Structure { message, .. }
            | InformationError::Mismatch(message)
            | InformationError::Impossible(message)
            | InformationError::Numeric(message) => f.write_str(message),
            InformationError::Compile(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InformationError {}

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
