//! What keeps a structure from being learned.

use crate::learn::LearnError;

/// What keeps a structure from being learned.
#[derive(Clone, Debug)]
pub enum StructureError {
    /// The data do not allow it.
    Data(String),
    /// An option is out of its range.
    Option(String),
    /// It was asked to end before anything was learned.
    Interrupted(String),
    /// The circuit is too large, or this machine cannot run it.
    Circuit(String),
    /// Its parameters could not be learned.
    Learn(LearnError),
}

impl std::fmt::Display for StructureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StructureError::Data(message)
            | StructureError::Option(message)
            | StructureError::Interrupted(message)
            | StructureError::Circuit(message) => f.write_str(message),
            StructureError::Learn(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StructureError {}

impl From<LearnError> for StructureError {
    fn from(error: LearnError) -> Self {
        StructureError::Learn(error)
    }
}
