//! Writes a circuit that was made of others.

use crate::arguments::{MessageArguments, ReadingArguments, TransformOutput};
use crate::asking::object;
use crate::inputs::is_standard;
use crate::{CommandFailure, CommandResult, Exit, model, save, write};
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::emit::{self, EmitError};
use pelton_compiler::transform::TransformedCircuit;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::Path;

/// Says if a circuit could not be written there, before it is made.
pub fn check(target: &TransformOutput) -> CommandResult<()> {
    let Some(path) = file(target) else {
        if target.json && target.output.is_some() {
            let message = "the circuit and --json cannot both go to standard output; give the \
                           circuit a file with `-o`";
            return Err(CommandFailure::Usage(message.to_string()));
        }
        return Ok(());
    };
    save::check_ending(path, "source (.pcirc); `-` is standard output")?;
    write::can_be_written(path)
}

/// The file it goes to, if that is not standard output.
fn file(target: &TransformOutput) -> Option<&Path> {
    let path = target.output.as_deref();
    path.filter(|path| !is_standard(path))
}

/// Writes a circuit, or prints its source; `facts` are what `--json` says of it beside
/// its size.
pub fn write(
    target: &TransformOutput,
    transformed: &TransformedCircuit,
    facts: Json,
    reading: &ReadingArguments,
    messages: &MessageArguments,
) -> CommandResult<Exit> {
    messages.notes(&transformed.notes);
    let circuit = transformed.checked.circuit();
    let text = text_of(circuit)?;
    match file(target) {
        None => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        Some(path) if path.extension().is_some_and(|end| end == "pcirc") => {
            write::atomically(path, |out| out.write_all(text.as_bytes()))?;
        }
        Some(path) => save_model(path, text, reading)?,
    }
    if target.json {
        let mut line = object(json!({
            "output": target.output.as_ref().map(|path| path.display().to_string()),
            "variables": circuit.variables().len(),
            "units": circuit.n_units(),
            "edges": circuit.n_edges(),
            "notes": transformed.notes,
        }));
        line.extend(object(facts));
        writeln!(std::io::stdout().lock(), "{}", Json::Object(line))?;
    }
    Ok(Exit::Ok)
}

fn text_of(circuit: &CircuitGraph) -> CommandResult<String> {
    let mut text = String::new();
    emit::circuit(circuit, &mut text).map_err(|error| match error {
        EmitError::Write(error) => CommandFailure::from(error),
        error => CommandFailure::Wrong(error.to_string()),
    })?;
    Ok(text)
}

/// A model file holds texts, from which the circuit is derived: so the text is read back
/// and saved with the values that it has.
fn save_model(path: &Path, text: String, reading: &ReadingArguments) -> CommandResult<()> {
    write::check_unread(path)?;
    let mut options = model::options(reading);
    options.lower.defines.clear();
    options.smooth = false;
    let lead = "the circuit cannot be saved as a model file";
    let opened = model::of_text(&text, "the circuit", &options, lead)?;
    let values = opened.checked.circuit().start_values();
    save::model(path, &opened, &opened.document, &values)
}
