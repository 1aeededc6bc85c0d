//! `pelton multiply`

use super::{check_inputs, target};
use crate::arguments::{Messages, Multiply};
use crate::commands::note_unset;
use crate::exit::Exit;
use crate::number::shown_number;
use crate::{Failure, model, report};
use pelton_compiler::transform::multiply;
use serde_json::json;

/// Multiplies two circuits.
pub fn run(options: &Multiply, messages: &Messages) -> Result<Exit, Failure> {
    target::check(&options.target)?;
    check_inputs([&options.left, &options.right])?;
    let reading = &options.reading;
    let left = match model::checked(&options.left, reading, messages)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let right = match model::checked(&options.right, reading, messages)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    note_unset(left.circuit(), messages);
    note_unset(right.circuit(), messages);
    let values = [&left, &right].map(|side| side.circuit().start_values());
    let found = multiply(
        (&left, &values[0]),
        (&right, &values[1]),
        options.normalize,
        reading.max_size,
    )?;
    let number = shown_number(found.log_mass);
    report::note(
        &format!("the logarithm of the product's mass is {number}"),
        messages,
    );
    let facts = json!({"log_mass": found.log_mass, "normalized": options.normalize});
    target::write(&options.target, &found.circuit, facts, reading, messages)
}
