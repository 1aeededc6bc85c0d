//! Why there is no answer.

use crate::model::CompileError;
use crate::tractability::{TractabilityRefusal, ZERO_EVIDENCE, ZERO_MASS};
use pelton_compiler::circuit::Event;
use pelton_grammar::remedy::{RemedyOption, RemedyText, WordedError};

/// Why a query has no answer; shown as what follows the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryFailure {
    /// What is given has probability 0.
    #[error("is undefined: {}", ZERO_EVIDENCE)]
    ImpossibleGiven,
    /// The circuit is zero for every input.
    #[error("is undefined: {}", ZERO_MASS)]
    ZeroMass,
    /// The events fall into more boxes than are worth a pass each.
    #[error("is not answered: its events have too many combinations; join fewer of them by `||`")]
    TooManyParts,
    /// Exact values of different real variables: their densities have no common unit.
    #[error("is undefined: it adds densities of different variables")]
    MixedDensities,
    /// A variable that is asked about is not mentioned by the circuit, which has then no
    /// distribution over it.
    #[error(
        "is not answered: it asks about a variable that no unit mentions, and of which the \
         circuit says nothing"
    )]
    Unmentioned,
    /// A distribution to draw from has mass on values that are too large to be kept.
    #[error("is not answered: values that are too large would have to be drawn")]
    TooLarge,
}

impl QueryFailure {
    /// Why nothing that is given is possible.
    pub fn of_given(given: &Event) -> QueryFailure {
        match given.variables().next() {
            Some(_) => QueryFailure::ImpossibleGiven,
            None => QueryFailure::ZeroMass,
        }
    }

    /// The gap as a sentence of its own, for questions that have no text.
    pub fn sentence(self) -> RemedyText {
        let text = match self {
            QueryFailure::ImpossibleGiven => ZERO_EVIDENCE,
            QueryFailure::ZeroMass => ZERO_MASS,
            QueryFailure::TooManyParts => {
                "what is known has too many combinations of events; join fewer of them by `||`"
            }
            QueryFailure::Unmentioned => {
                "what is known is about a variable that no unit mentions, and of which the \
                 circuit says nothing"
            }
            QueryFailure::TooLarge => {
                "a distribution has mass where samples end, which are integers below 2^53 \
                 (9007199254740992) and reals up to 1.8e308; truncate it"
            }
            QueryFailure::MixedDensities => {
                "what is known adds densities of different variables, which have no common \
                 unit; use intervals instead of exact values"
            }
        };
        match self {
            QueryFailure::TooLarge => RemedyText::from(text).or(RemedyOption::BoundByEvidence),
            _ => text.into(),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum InformationError {
    /// The circuit does not have what the question needs.
    #[error(transparent)]
    Refused(#[from] Box<TractabilityRefusal>),
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

impl From<TractabilityRefusal> for InformationError {
    fn from(refusal: TractabilityRefusal) -> Self {
        Box::new(refusal).into()
    }
}

impl From<QueryFailure> for InformationError {
    fn from(gap: QueryFailure) -> Self {
        match gap {
            QueryFailure::ImpossibleGiven | QueryFailure::ZeroMass => {
                InformationError::Impossible(gap.sentence().to_string())
            }
            _ => InformationError::Structure(gap.sentence()),
        }
    }
}

/// A number that is one.
pub(super) fn finite(number: f64, what: &str) -> Result<f64, InformationError> {
    let message = || format!("{what} is not a finite number; are weights or parameters too large?");
    let number = Some(number).filter(|number| number.is_finite());
    number.ok_or_else(|| InformationError::Numeric(message()))
}
