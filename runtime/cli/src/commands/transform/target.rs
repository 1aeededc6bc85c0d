//! Writes a circuit that was made of others.

use crate::arguments::{Messages, Reading, Target};
use crate::exit::Exit;
use crate::{Failure, interrupt, model, write};
use pelton_compiler::analyze;
use pelton_compiler::circuit::Circuit;
use pelton_compiler::emit::{self, EmitError};
use pelton_compiler::load::{FileLoader, Input};
use pelton_compiler::transform::Transformed;
use pelton_runtime::store::{self, Document};
use serde_json::{Map, Value as Json, json};
use std::io::Write;
use std::path::Path;

/// Says if a circuit could not be written there, before it is made.
pub fn check(target: &Target) -> Result<(), Failure> {
    let Some(path) = file(target) else {
        return match target.json && target.output.is_some() {
            true => Err(Failure::Usage(
                "the circuit and --json cannot both go to standard output; give the circuit a \
                 file with `-o`"
                    .to_string(),
            )),
            false => Ok(()),
        };
    };
    let has_form = path
        .extension()
        .is_some_and(|end| end == "pelton" || end == "pcirc");
    if !has_form {
        return Err(Failure::Usage(format!(
            "`{}` is neither a model file (.pelton) nor source (.pcirc); `-` is standard output",
            path.display()
        )));
    }
    write::can_be_written(path)
}

/// The file it goes to, if that is not standard output.
fn file(target: &Target) -> Option<&Path> {
    let path = target.output.as_deref();
    path.filter(|path| *path != Path::new("-"))
}

/// Writes a circuit, or prints its source; `facts` are what `--json` says of it beside
/// its size.
pub fn write(
    target: &Target,
    transformed: &Transformed,
    facts: Json,
    reading: &Reading,
    messages: &Messages,
) -> Result<Exit, Failure> {
    super::note_all(&transformed.notes, messages);
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
        let mut object = sizes(target, circuit, transformed);
        object.extend(facts.as_object().cloned().unwrap_or_default());
        writeln!(std::io::stdout().lock(), "{}", Json::Object(object))?;
    }
    Ok(Exit::Ok)
}

fn sizes(target: &Target, circuit: &Circuit, transformed: &Transformed) -> Map<String, Json> {
    let sizes = json!({
        "output": target.output.as_ref().map(|path| path.display().to_string()),
        "variables": circuit.variables().len(),
        "units": circuit.n_units(),
        "edges": circuit.n_edges(),
        "notes": transformed.notes,
    });
    sizes.as_object().cloned().unwrap_or_default()
}

fn text_of(circuit: &Circuit) -> Result<String, Failure> {
    let mut text = String::new();
    emit::circuit(circuit, &mut text).map_err(|error| match error {
        EmitError::Write(error) => Failure::from(error),
        error => Failure::Wrong(error.to_string()),
    })?;
    Ok(text)
}

/// A model file holds texts, from which the circuit is derived: so the text is read back
/// and saved with the values that it has.
fn save_model(path: &Path, text: String, reading: &Reading) -> Result<(), Failure> {
    write::check_unread(path)?;
    interrupt::clean_up()?;
    let input = Input {
        name: "the circuit".to_string(),
        path: None,
        bytes: text.into_bytes(),
    };
    let mut options = model::options(reading);
    options.lower.defines.clear();
    options.smooth = false;
    let analysis = analyze(input, &FileLoader, &options);
    let document = Document::of(&analysis.program, &options);
    let (_, found, checked) = analysis.into_parts();
    let checked = checked.ok_or_else(|| {
        let first = found.iter().next().map(|message| message.message.as_str());
        let reason = first.unwrap_or("it cannot be read");
        Failure::Wrong(format!(
            "the circuit cannot be saved as a model file: {reason}"
        ))
    })?;
    let circuit = checked.circuit();
    store::save(path, &document, circuit, &circuit.start_values())
        .map_err(|error| write::not_saved(path, &error))
}
