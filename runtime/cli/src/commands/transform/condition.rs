//! `pelton condition`

use super::target;
use crate::arguments::{ConditionCommand, MessageArguments};
use crate::asking::{no_answer, understood};
use crate::commands::note_unset;
use crate::mass::Mass;
use crate::number::shown_number;
use crate::refusal::not_made;
use crate::{CommandFailure, CommandResult, Exit, model};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::tractability::ZERO_EVIDENCE;
use pelton_compiler::transform::condition;
use pelton_grammar::diagnostic::counted;
use pelton_runtime::query::{ask_given, given_boxes};
use serde_json::json;

pub fn run(options: &ConditionCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    target::check(&options.target)?;
    let opened = model::opened(&options.model, &options.reading, messages)?;
    let circuit = opened.checked.circuit();
    note_unset(circuit, messages);
    let mass = Mass::noted(&opened.checked, messages);
    let event = understood(ask_given(circuit, &options.event), messages)?;
    let regions = given_boxes(circuit, &event).map_err(no_answer)?;
    if regions.is_empty() {
        return Err(CommandFailure::Unfit(ZERO_EVIDENCE.to_string()));
    }
    let values = circuit.start_values();
    let max_size = options.reading.max_size;
    let found = condition(&opened.checked, &values, &regions, options.keep, max_size)
        .map_err(|error| not_made(error, &[opened.place()], messages))?;
    // Exact values of real variables have densities.
    let is_point = |part: &ValueBox| !part.exact_variables(circuit).is_empty();
    let kind = if regions.iter().any(is_point) {
        "density"
    } else {
        "probability"
    };
    let log = found.log_evidence - mass.log();
    let number = shown_number(log);
    messages.note(format!("the log-{kind} of the evidence is {number}"));
    if found.n_not_kept > 0 {
        let variables = counted(found.n_not_kept, "real variable", "real variables");
        messages.note(format!(
            "{variables} with an exact value left: points have no indicator"
        ));
    }
    let mut facts = json!({"log_evidence": log, "kind": kind, "parts": regions.len()});
    facts
        .as_object_mut()
        .into_iter()
        .for_each(|own| mass.put(own));
    target::write(
        &options.target,
        &found.circuit,
        facts,
        &options.reading,
        messages,
    )
}
