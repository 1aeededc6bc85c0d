//! `pelton convert`

use crate::arguments::{ConvertCommand, FileFormat, MessageArguments};
use crate::commands::note_unset;
use crate::inputs::is_standard;
use crate::model::OpenedCircuit;
use crate::{CommandFailure, CommandResult, Exit, model, save, write};
use pelton_formats::export::{ExportedCircuit, export, needs};
use pelton_formats::import::CircuitFormat;
use std::io::Write;
use std::path::Path;

pub fn run(options: &ConvertCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let target = target(options)?;
    let format = target.format();
    let analysis = model::deciding(
        &options.reading,
        format.map_or(Vec::new(), |format| needs(format).to_vec()),
    );
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
fn target(options: &ConvertCommand) -> CommandResult<FileFormat> {
    let target = options
        .to
        .or_else(|| FileFormat::of_ending(&options.output));
    let target = target.ok_or_else(|| {
        CommandFailure::Usage(format!(
            "the ending of `{}` stands for no format; say which one with `--to`, for example `--to psdd`",
            options.output.display()
        ))
    })?;
    if file(options).is_none() && target == FileFormat::Model {
        Err(CommandFailure::Usage(
            "a model file is no text to print: give it a name ending in .pelton".to_string(),
        ))
    } else {
        Ok(target)
    }
}

/// The file that is written, unless that is standard output.
fn file(options: &ConvertCommand) -> Option<&Path> {
    Some(&*options.output).filter(|path| !is_standard(path))
}

/// Writes circuit source or a model file.
fn own(
    options: &ConvertCommand,
    opened: &OpenedCircuit,
    target: FileFormat,
    messages: &MessageArguments,
) -> CommandResult<()> {
    let values = opened.checked.circuit().start_values();
    let (path, reading) = (&options.output, &options.reading);
    if target == FileFormat::Model {
        write::check_unread(path)?;
        return save::model(path, opened, &opened.document, &values);
    }
    let source = save::source(file(options), opened, &values, reading)?;
    put(options, path, &source.text)?;
    save::note_form(&source, file(options), messages);
    Ok(())
}

/// Writes a foreign format, and the vtree of one that needs it.
fn foreign(
    options: &ConvertCommand,
    opened: &OpenedCircuit,
    format: CircuitFormat,
    messages: &MessageArguments,
) -> CommandResult<()> {
    let exported = export(&opened.checked, format).map_err(|refusal| {
        let input = options.input.display();
        CommandFailure::Wrong(format!(
            "`{input}` cannot be written as {}: {refusal}",
            format.title()
        ))
    })?;
    let ExportedCircuit { text, vtree, notes } = exported;
    let beside = options.output.with_extension("vtree");
    let vtree = vtree.filter(|_| file(options).is_some());
    if vtree.is_some() {
        write::check_unread(&beside)?;
    }
    put(options, &options.output, &text)?;
    if let Some(vtree) = vtree {
        put(options, &beside, &vtree)?;
        messages.note(format!("the vtree is in `{}`", beside.display()));
    }
    for note in notes {
        messages.note(format!("{}: {note}", save::shown(file(options))));
    }
    Ok(())
}

fn put(options: &ConvertCommand, path: &Path, text: &str) -> CommandResult<()> {
    if file(options).is_none() {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    }
    write::atomically(path, |out| out.write_all(text.as_bytes()))
}
