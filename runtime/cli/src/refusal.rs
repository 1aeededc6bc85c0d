//! Tells why a question has no exact answer, with the units at fault where they are.

use crate::arguments::Messages;
use crate::flags::flags;
use crate::{Failure, report};
use pelton_compiler::circuit::Circuit;
use pelton_compiler::tractability::{Need, Refusal, Side};
use pelton_compiler::transform::TransformError;
use pelton_grammar::remedy::WordedError;
use pelton_grammar::source::SourceMap;
use pelton_runtime::learn::LearnError;

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
        Need::CompleteRows => Failure::Unfit(refusal.worded(flags)),
        _ => Failure::Wrong(refusal.worded(flags)),
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
