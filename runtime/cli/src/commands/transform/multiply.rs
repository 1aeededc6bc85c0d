//! `pelton multiply`

use super::target;
use crate::arguments::{MessageArguments, MultiplyCommand};
use crate::commands::note_unset;
use crate::inputs::check_stdin;
use crate::number::shown_number;
use crate::refusal::not_made;
use crate::{CommandResult, Exit, model};
use pelton_compiler::transform::multiply;
use serde_json::json;

pub fn run(options: &MultiplyCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    target::check(&options.target)?;
    check_stdin([options.left.as_path(), &options.right], "the inputs")?;
    let reading = &options.reading;
    let left = model::opened(&options.left, reading, messages)?;
    let right = model::opened(&options.right, reading, messages)?;
    let places = [left.place(), right.place()];
    places
        .iter()
        .for_each(|(circuit, _)| note_unset(circuit, messages));
    let values = places.map(|(circuit, _)| circuit.start_values());
    let found = multiply(
        (&left.checked, &values[0]),
        (&right.checked, &values[1]),
        options.normalize,
        reading.max_size,
    );
    let found = found.map_err(|error| not_made(error, &places, messages))?;
    let number = shown_number(found.log_mass);
    messages.note(format!("the logarithm of the product's mass is {number}"));
    let facts = json!({"log_mass": found.log_mass, "normalized": options.normalize});
    target::write(&options.target, &found.circuit, facts, reading, messages)
}
