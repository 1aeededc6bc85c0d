//! Why a circuit cannot be made of another.

use crate::tractability::TractabilityRefusal;
use pelton_grammar::remedy::{RemedyOption, RemedyText, WordedError};

/// Why a circuit cannot be made of another.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TransformError {
    /// What was asked for does not fit the circuits.
    #[error("{0}")]
    Option(String),
    /// The circuits do not allow it.
    #[error("{0}")]
    Circuit(String),
    /// The evidence fixes all variables.
    #[error("nothing is left: all variables have known values; leave one open")]
    NothingLeft,
    /// The circuits do not have what it needs.
    #[error(transparent)]
    Refused(#[from] Box<TractabilityRefusal>),
    /// What is known has probability zero, or the product is zero everywhere.
    #[error("{0}")]
    Zero(String),
    /// A mass or density is not a finite number.
    #[error("{0}")]
    Numeric(String),
}

impl WordedError for TransformError {
    fn remedy_text(&self) -> RemedyText {
        match self {
            TransformError::NothingLeft => {
                RemedyText::from(self.to_string()).or(RemedyOption::KeepKnownVariables)
            }
            TransformError::Refused(refusal) => refusal.remedy_text(),
            other => other.to_string().into(),
        }
    }
}

impl From<TractabilityRefusal> for TransformError {
    fn from(refusal: TractabilityRefusal) -> Self {
        Box::new(refusal).into()
    }
}
