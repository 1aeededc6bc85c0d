//! Tells why a question has no exact answer, with the units at fault where they are.

use crate::arguments::Messages;
use crate::{Failure, report};
use pelton_compiler::circuit::Circuit;
use pelton_compiler::tractability::{Need, Refusal, Side};
use pelton_compiler::transform::TransformError;
use pelton_grammar::source::SourceMap;
use pelton_runtime::learn::LearnError;
use pelton_runtime::query::InformationError;

/// A circuit that was asked, with the texts it comes from.
pub type Place<'a> = (&'a Circuit, &'a SourceMap);

/// Shows the units at fault and gives the failure. The second circuit comes second.
pub fn refused(refusal: &Refusal, places: &[Place], messages: &Messages) -> Failure {
    for (side, (circuit, sources)) in [Side::First, Side::Second].into_iter().zip(places) {
        report::to_stderr(&refusal.shown(side, circuit), sources, messages);
    }
    failure(refusal)
}

/// The failure alone.
fn failure(refusal: &Refusal) -> Failure {
    match refusal.need() {
        Need::CompleteRows => Failure::Unfit(refusal.to_string()),
        _ => Failure::Wrong(refusal.to_string()),
    }
}

/// Why a circuit cannot be made of these.
pub fn not_made(error: TransformError, places: &[Place], messages: &Messages) -> Failure {
    match error {
        TransformError::Refused(refusal) => refused(&refusal, places, messages),
        error => error.into(),
    }
}

/// Why nothing was learned.
pub fn not_learned(error: LearnError, place: Place, messages: &Messages) -> Failure {
    match error {
        LearnError::Refused(refusal) => refused(&refusal, &[place], messages),
        error => error.into(),
    }
}

impl From<TransformError> for Failure {
    fn from(error: TransformError) -> Self {
        match error {
            TransformError::Option(message) => Failure::Usage(message),
            TransformError::Circuit(message) => Failure::Wrong(message),
            TransformError::Refused(refusal) => failure(&refusal),
            TransformError::Zero(message) => Failure::Unfit(message),
            TransformError::Numeric(message) => Failure::Numeric(message),
        }
    }
}

impl From<InformationError> for Failure {
    fn from(error: InformationError) -> Self {
        match error {
            InformationError::Refused(refusal) => failure(&refusal),
            InformationError::Structure(message) => Failure::Wrong(message),
            InformationError::Mismatch(message) => Failure::Usage(message),
            InformationError::Impossible(message) => Failure::Unfit(message),
            InformationError::Numeric(message) => Failure::Numeric(message),
            InformationError::Compile(error) => Failure::Usage(error.to_string()),
        }
    }
}

impl From<LearnError> for Failure {
    fn from(error: LearnError) -> Self {
        match error {
            LearnError::Read(error) => error.into(),
            LearnError::Circuit(message) => Failure::Wrong(message),
            LearnError::Refused(refusal) => failure(&refusal),
            LearnError::Data(message) => Failure::Unfit(message),
            LearnError::Numeric(message) => Failure::Numeric(message),
            LearnError::Option(_) | LearnError::Checkpoint(_) | LearnError::Compile(_) => {
                Failure::Usage(error.to_string())
            }
        }
    }
}
