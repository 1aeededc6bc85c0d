//! What keeps a structure from being learned.

use crate::learn::LearnError;
use pelton_grammar::remedy::{RemedyText, WordedError};

/// What keeps a structure from being learned.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StructureError {
    /// The data do not allow it.
    #[error("{0}")]
    Data(String),
    /// An option is out of its range.
    #[error("{0}")]
    Option(String),
    /// It was asked to end before anything was learned.
    #[error("{0}")]
    Interrupted(String),
    /// The circuit is too large, or this machine cannot run it.
    #[error("{0}")]
    Circuit(String),
    /// Its parameters could not be learned.
    #[error(transparent)]
    Learn(#[from] LearnError),
}

impl WordedError for StructureError {
    fn remedy_text(&self) -> RemedyText {
        match self {
            StructureError::Learn(error) => error.remedy_text(),
            other => other.to_string().into(),
        }
    }
}
