//! Why there is no answer.

use crate::model::CompileError;
use pelton_compiler::tractability::Refusal;
use pelton_grammar::remedy::{RemedyText, WordedError};

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum InformationError {
    /// The circuit does not have what the question needs.
    #[error(transparent)]
    Refused(#[from] Box<Refusal>),
    /// The circuit does not allow what is asked.
    #[error("{0}")]
    Structure(RemedyText),
    /// The circuits, or the variables asked for, do not go together.
    #[error("{0}")]
    Mismatch(String),
    /// What is known has probability zero.
    #[error("{0}")]
    Impossible(String),
    /// A result is not a number.
    #[error("{0}")]
    Numeric(String),
    /// A circuit could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
}

impl WordedError for InformationError {
    fn remedy_text(&self) -> RemedyText {
        match self {
            InformationError::Refused(refusal) => refusal.remedy_text(),
            InformationError::Structure(text) => text.clone(),
            other => other.to_string().into(),
        }
    }
}

impl From<Refusal> for InformationError {
    fn from(refusal: Refusal) -> Self {
        Box::new(refusal).into()
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
