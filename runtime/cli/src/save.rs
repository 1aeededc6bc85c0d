//! Saves circuits with their values.

use crate::arguments::{MessageArguments, ReadingArguments};
use crate::model::{self as models, OpenedCircuit};
use crate::{CommandFailure, CommandResult, interrupt, write};
use pelton::open::is_beside;
use pelton_compiler::circuit::ParameterValue;
use pelton_compiler::emit::{SourceForm, SourceOptions, SourceText, source_with_values};
use pelton_runtime::store::{self, ModelDocument};
use std::path::Path;

/// Saves a circuit with a value for each of its entries: as source text if the
/// file's name ends in `.pcirc`, else as a model file, which holds `document` beside
/// the values.
pub fn save(
    path: &Path,
    opened: &OpenedCircuit,
    document: &ModelDocument,
    values: &[ParameterValue],
    reading: &ReadingArguments,
    messages: &MessageArguments,
) -> CommandResult<()> {
    if path.extension().is_some_and(|end| end == "pcirc") {
        let source = source(Some(path), opened, values, reading)?;
        write::atomically(path, |out| out.write_all(source.text.as_bytes()))?;
        note_form(&source, Some(path), messages);
        return Ok(());
    }
    model(path, opened, document, values)
}

/// Saves a circuit with its values as a model file.
pub fn model(
    path: &Path,
    opened: &OpenedCircuit,
    document: &ModelDocument,
    values: &[ParameterValue],
) -> CommandResult<()> {
    interrupt::clean_up()?;
    let circuit = opened.checked.circuit();
    store::save(path, document, circuit, values).map_err(|error| write::not_saved(path, &error))
}

/// The source text of a circuit with values, to be written to `target` or to
/// standard output.
pub fn source(
    target: Option<&Path>,
    opened: &OpenedCircuit,
    values: &[ParameterValue],
    reading: &ReadingArguments,
) -> CommandResult<SourceText> {
    let options = SourceOptions {
        analysis: &opened.document.options(&models::options(reading)),
        finds_uses: target.is_none_or(|target| is_beside(&opened.program, target)),
    };
    source_with_values(&opened.program, &opened.checked, values, &options)
        .map_err(|error| CommandFailure::Usage(error.to_string()))
}

/// Refuses a name that says neither of the two forms; `source` is how the second is called.
pub fn check_ending(path: &Path, source: &str) -> CommandResult<()> {
    match path.extension() {
        Some(ending) if ending == "pelton" || ending == "pcirc" => Ok(()),
        _ => Err(CommandFailure::Usage(format!(
            "`{}` is neither a model file (.pelton) nor {source}",
            path.display()
        ))),
    }
}

/// What messages call a file that is written, or what is printed in its place.
pub fn shown(target: Option<&Path>) -> String {
    target.map_or("the text".to_string(), |path| {
        format!("`{}`", path.display())
    })
}

/// Says so if a text is not the author's.
pub fn note_form(source: &SourceText, target: Option<&Path>, messages: &MessageArguments) {
    if let SourceForm::Flat(reason) = source.form {
        messages.note(format!(
            "{} lists every unit, because {reason}",
            shown(target)
        ));
    }
}
