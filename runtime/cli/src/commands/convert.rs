//! `pelton convert`

use crate::arguments::{ConvertCommand, FileFormat, MessageArguments};
use crate::commands::note_unset;
use crate::exit::Exit;
use crate::inputs::is_standard;
use crate::model::OpenedCircuit;
use crate::{CommandFailure, model, report, save, write};
use pelton_compiler::AnalysisOptions;
use pelton_formats::export::{ExportedCircuit, export, needs};
use pelton_formats::import::CircuitFormat;
use std::io::Write;
use std::path::Path;

/// Reads a circuit and writes it in another format.
pub fn run(options: &ConvertCommand, messages: &MessageArguments) -> Result<Exit, CommandFailure> {
    let target = target(options)?;
    let format = target.format();
    let analysis = AnalysisOptions {
        decide: format.map_or(Vec::new(), |format| needs(format).to_vec()),
        ..model::options(&options.reading)
    };
    let opened = model::opened_with(&options.input, &analysis, messages)?;
    match format {
        Some(format) => {
            note_unset(opened.checked.circuit(), messages);
            foreign(options, &opened, format, messages)?
        }
        None => own(options, &opened, target, messages)?,
    }
    Ok(Exit::Ok)
}

/// The format that is asked for, by name or by the ending of the output.
fn target(options: &ConvertCommand) -> Result<FileFormat, CommandFailure> {
    let target = options
        .to
        .or_else(|| FileFormat::of_ending(&options.output));
    let target = target.ok_or_else(|| {
        CommandFailure::Usage(format!(
            "the ending of `{}` stands for no format; say which one with `--to`, for example `--to psdd`",
            options.output.display()
        ))
    })?;
    if is_stdout(options) && target == FileFormat::Model {
        Err(CommandFailure::Usage(
            "a model file is no text to print: give it a name ending in .pelton".to_string(),
        ))
    } else {
        Ok(target)
    }
}

fn is_stdout(options: &ConvertCommand) -> bool {
    is_standard(&options.output)
}

/// Writes circuit source or a model file.
fn own(
    options: &ConvertCommand,
    opened: &OpenedCircuit,
    target: FileFormat,
    messages: &MessageArguments,
) -> Result<(), CommandFailure> {
    let values = opened.checked.circuit().start_values();
    let (path, reading) = (&options.output, &options.reading);
    if target == FileFormat::Model {
        write::check_unread(path)?;
        return save::model(path, opened, &opened.document, &values);
    }
    let file = (!is_stdout(options)).then_some(path.as_path());
    let source = save::source(file, opened, &values, reading)?;
    put(options, path, &source.text)?;
    save::note_form(&source, &name(options), messages);
    Ok(())
}

/// Writes a foreign format, and the vtree of one that needs it.
fn foreign(
    options: &ConvertCommand,
    opened: &OpenedCircuit,
    format: CircuitFormat,
    messages: &MessageArguments,
) -> Result<(), CommandFailure> {
    let exported = export(&opened.checked, format).map_err(|refusal| {
        let input = options.input.display();
        CommandFailure::Wrong(format!(
            "`{input}` cannot be written as {}: {refusal}",
            format.title()
        ))
    })?;
    let ExportedCircuit { text, vtree, notes } = exported;
    let beside = options.output.with_extension("vtree");
    if vtree.is_some() && !is_stdout(options) {
        write::check_unread(&beside)?;
    }
    put(options, &options.output, &text)?;
    if let Some(vtree) = vtree.filter(|_| !is_stdout(options)) {
        put(options, &beside, &vtree)?;
        report::note(&format!("the vtree is in `{}`", beside.display()), messages);
    }
    for note in notes {
        report::note(&format!("{}: {note}", name(options)), messages);
    }
    Ok(())
}

/// What messages call the output.
fn name(options: &ConvertCommand) -> String {
    if is_stdout(options) {
        "the text".to_string()
    } else {
        format!("`{}`", options.output.display())
    }
}

fn put(options: &ConvertCommand, path: &Path, text: &str) -> Result<(), CommandFailure> {
    if is_stdout(options) {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    }
    write::atomically(path, |out| out.write_all(text.as_bytes()))
}
