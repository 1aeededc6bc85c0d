//! Why nothing could be learned.

use crate::data::DataError;
use crate::model::CompileError;
use crate::query::InformationError;
use crate::tractability::Refusal;
use std::fmt;

/// Why nothing could be learned.
#[derive(Clone, Debug)]
pub enum LearnError {
    /// An option is out of its range, or does not go with another.
    Option(String),
    /// The circuit does not allow what is asked for.
    Circuit(String),
    /// The circuit, or the rows, do not have what the method needs.
    Refused(Box<Refusal>),
    /// The data do not.
    Data(String),
    /// Data could not be read while learning.
    Read(DataError),
    /// A circuit that is needed beside the given one could not be compiled.
    Compile(CompileError),
    /// A checkpoint belongs to another run.
    Checkpoint(String),
    /// A result is not a number.
    Numeric(String),
}

impl LearnError {
    pub(crate) fn option(message: String) -> Self {
        LearnError::Option(message)
    }

    /// No training row is possible.
    pub(crate) fn all_zero() -> Self {
        LearnError::Data(
            "every training row has probability zero, so that nothing can be learned from them; \
             are the circuit's fixed weights and sets right for these data?"
                .into(),
        )
    }
}

impl fmt::Display for LearnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LearnError::Option(message)
            | LearnError::Circuit(message)
            | LearnError::Data(message)
            | LearnError::Checkpoint(message)
            | LearnError::Numeric(message) => f.write_str(message),
            LearnError::Refused(refusal) => refusal.fmt(f),
            LearnError::Read(error) => error.fmt(f),
            LearnError::Compile(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LearnError {}

impl From<Refusal> for LearnError {
    fn from(refusal: Refusal) -> Self {
        LearnError::Refused(Box::new(refusal))
    }
}

impl From<InformationError> for LearnError {
    fn from(error: InformationError) -> Self {
        match error {
            InformationError::Numeric(message) => LearnError::Numeric(message),
            error => LearnError::Circuit(error.to_string()),
        }
    }
}

impl From<DataError> for LearnError {
    fn from(error: DataError) -> Self {
        LearnError::Read(error)
    }
}

impl From<CompileError> for LearnError {
    fn from(error: CompileError) -> Self {
        LearnError::Compile(error)
    }
}
