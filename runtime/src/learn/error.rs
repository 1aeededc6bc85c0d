//! Why nothing could be learned.

use crate::data::DataError;
use crate::model::CompileError;
use crate::query::InformationError;
use crate::tractability::TractabilityRefusal;
use pelton_grammar::remedy::{RemedyOption, RemedyText, WordedError};

/// Why nothing could be learned.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LearnError {
    /// An option is out of its range, or does not go with another.
    #[error("{0}")]
    Option(String),
    /// The circuit does not allow what is asked for.
    #[error("{0}")]
    Circuit(String),
    /// Every parameter of the circuit is fixed.
    #[error(
        "there is nothing to learn: every parameter of the circuit is fixed; write `?` or `?0.3` \
         for a weight"
    )]
    NothingToLearn,
    /// The circuit, or the rows, do not have what the method needs.
    #[error(transparent)]
    Refused(#[from] Box<TractabilityRefusal>),
    /// The data do not.
    #[error("{0}")]
    Data(String),
    /// Data could not be read while learning.
    #[error(transparent)]
    Read(#[from] DataError),
    /// A circuit that is needed beside the given one could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A checkpoint belongs to another run.
    #[error("{0}")]
    Checkpoint(String),
    /// A result is not a number.
    #[error("{0}")]
    Numeric(String),
}

impl LearnError {
    /// No training row is possible.
    pub(crate) fn all_zero() -> Self {
        LearnError::Data(
            "every training row has probability zero, so that nothing can be learned from them; \
             are the circuit's fixed weights and sets right for these data?"
                .into(),
        )
    }
}

impl WordedError for LearnError {
    fn remedy_text(&self) -> RemedyText {
        match self {
            LearnError::NothingToLearn => {
                RemedyText::from(self.to_string()).or(RemedyOption::LearnFixedNumbers)
            }
            LearnError::Refused(refusal) => refusal.remedy_text(),
            LearnError::Read(error) => error.remedy_text(),
            other => other.to_string().into(),
        }
    }
}

impl From<TractabilityRefusal> for LearnError {
    fn from(refusal: TractabilityRefusal) -> Self {
        Box::new(refusal).into()
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
