//! Tells why a question has no exact answer, with the units at fault where they are.

use crate::CommandFailure;
use crate::arguments::MessageArguments;
use crate::flags::flags;
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::tractability::{CircuitOperand, TractabilityRefusal, TractabilityRequirement};
use pelton_compiler::transform::TransformError;
use pelton_grammar::remedy::WordedError;
use pelton_grammar::source::SourceMap;
use pelton_runtime::learn::LearnError;

/// A circuit that was asked, with the texts it comes from.
pub type CircuitSources<'a> = (&'a CircuitGraph, &'a SourceMap);

/// Shows the units at fault and gives the failure. The second circuit comes second.
pub fn refused(
    refusal: &TractabilityRefusal,
    places: &[CircuitSources],
    messages: &MessageArguments,
) -> CommandFailure {
    for (side, (circuit, sources)) in [CircuitOperand::First, CircuitOperand::Second]
        .into_iter()
        .zip(places)
    {
        messages.show(&refusal.shown(side, circuit), sources);
    }
    match refusal.need() {
        TractabilityRequirement::CompleteRows => CommandFailure::Unfit(refusal.worded(flags)),
        _ => CommandFailure::Wrong(refusal.worded(flags)),
    }
}

/// Why a circuit cannot be made of these.
pub fn not_made(
    error: TransformError,
    places: &[CircuitSources],
    messages: &MessageArguments,
) -> CommandFailure {
    match error {
        TransformError::Refused(refusal) => refused(&refusal, places, messages),
        error => error.into(),
    }
}

/// Why nothing was learned.
pub fn not_learned(
    error: LearnError,
    place: CircuitSources,
    messages: &MessageArguments,
) -> CommandFailure {
    match error {
        LearnError::Refused(refusal) => refused(&refusal, &[place], messages),
        error => error.into(),
    }
}
