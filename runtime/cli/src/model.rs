//! Reads the circuits that commands are given.
//!
//! MODEL is circuit source, a model file or a circuit in a foreign format; which of them is
//! seen by its content.

use crate::arguments::{MessageArguments, ReadingArguments};
use crate::commands::exit_for;
use crate::inputs::is_standard;
use crate::refusal::CircuitSources;
use crate::{CommandFailure, CommandResult, write};
use pelton::open::{self, OpenError};
use pelton_compiler::check::{Checked, DeterminismLimits};
use pelton_compiler::circuit::Property;
use pelton_compiler::load::{FileLoader, SourceInput, SourceProgram, read_with};
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::{Analysis, AnalysisOptions, analyze};
use pelton_formats::FOREIGN_FORMATS;
use pelton_grammar::parse::ParseOptions;
use pelton_runtime::store::ModelDocument;
use std::path::Path;

pub(crate) use pelton::open::is_model_file;

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> CommandResult<SourceInput> {
    if is_standard(path) {
        let bytes = read_with(std::io::stdin().lock(), open::largest).map_err(|error| {
            CommandFailure::Usage(format!("standard input cannot be read: {error}"))
        })?;
        return Ok(SourceInput {
            name: "<stdin>".to_string(),
            path: None,
            bytes,
        });
    }
    Ok(open::read(path)?)
}

/// Options of the analysis as the command line gives them.
pub(crate) fn options(reading: &ReadingArguments) -> AnalysisOptions {
    AnalysisOptions {
        parse: ParseOptions {
            max_depth: reading.max_depth,
        },
        lower: LowerOptions {
            max_size: reading.max_size,
            defines: reading.defines.clone(),
        },
        smooth: reading.smooth,
        limits: DeterminismLimits::default().scaled(reading.effort),
        allow_use: reading.allow_use.clone(),
        foreign: Some(FOREIGN_FORMATS),
        ..AnalysisOptions::default()
    }
}

/// The same for an analysis that decides some properties.
pub(crate) fn deciding(reading: &ReadingArguments, decide: Vec<Property>) -> AnalysisOptions {
    AnalysisOptions {
        decide,
        ..options(reading)
    }
}

/// A circuit that is right, with what is needed to save it again.
pub(crate) struct OpenedCircuit {
    /// The circuit; that of a model file starts at the stored values.
    pub checked: Checked,
    /// What it is derived from, and what the writer of a model file added.
    pub document: ModelDocument,
    pub program: SourceProgram,
}

impl OpenedCircuit {
    /// The circuit and the texts it comes from.
    pub fn place(&self) -> CircuitSources<'_> {
        (self.checked.circuit(), &self.program.sources)
    }
}

/// Reads a circuit that is to be changed and saved; what is wrong with it is told.
pub(crate) fn opened(
    path: &Path,
    reading: &ReadingArguments,
    messages: &MessageArguments,
) -> CommandResult<OpenedCircuit> {
    opened_with(path, &options(reading), messages)
}

/// The same with these options of the analysis.
pub(crate) fn opened_with(
    path: &Path,
    options: &AnalysisOptions,
    messages: &MessageArguments,
) -> CommandResult<OpenedCircuit> {
    let (analysis, document) = read_model(path, options)?;
    messages.show(&analysis.found, &analysis.program.sources);
    let exit = exit_for(&analysis.found);
    let (program, _, checked) = analysis.into_parts();
    let opened = checked.map(|checked| OpenedCircuit {
        checked,
        document,
        program,
    });
    opened.ok_or(CommandFailure::Told(exit))
}

/// Analyzes a circuit whose text was written here; `lead` begins the message if it is wrong.
pub(crate) fn of_text(
    text: &str,
    name: &str,
    options: &AnalysisOptions,
    lead: &str,
) -> CommandResult<OpenedCircuit> {
    let input = SourceInput {
        name: name.to_string(),
        path: None,
        bytes: text.as_bytes().to_vec(),
    };
    let analysis = analyze(input, &FileLoader, options);
    let document = ModelDocument::of(&analysis.program, options);
    let (program, found, checked) = analysis.into_parts();
    let checked = checked.ok_or_else(|| {
        let first = found.iter().next().map(|message| message.message.as_str());
        CommandFailure::Wrong(format!("{lead}: {}", first.unwrap_or("it is wrong")))
    })?;
    Ok(OpenedCircuit {
        checked,
        document,
        program,
    })
}

/// Reads a circuit that is to be run; what is wrong with it is told.
pub(crate) fn checked(
    path: &Path,
    reading: &ReadingArguments,
    messages: &MessageArguments,
) -> CommandResult<Checked> {
    opened(path, reading, messages).map(|opened| opened.checked)
}

/// Reads and analyzes a circuit.
pub fn analyzed(path: &Path, options: &AnalysisOptions) -> CommandResult<Analysis> {
    read_model(path, options).map(|(analysis, _)| analysis)
}

fn read_model(path: &Path, options: &AnalysisOptions) -> CommandResult<(Analysis, ModelDocument)> {
    let read = if is_standard(path) {
        open::from_input(read(path)?, options)
    } else {
        open::from_file(path, options)
    };
    let read = read.map_err(|error| match error {
        OpenError::Constants(_) => CommandFailure::Usage(format!("{error}; leave out `-D`")),
        OpenError::NoCircuit(..) => {
            CommandFailure::Usage(format!("{error}; `pelton explain PC0040` lists what can"))
        }
        other => other.into(),
    })?;
    note_read(path, &read.0.program);
    Ok(read)
}

/// A command must not replace what it reads: the circuit, and the files that it uses.
fn note_read(path: &Path, program: &SourceProgram) {
    write::note_read(path, "the circuit that is read");
    for used in program.sources.iter().skip(1).filter_map(|own| own.path()) {
        write::note_read(used, "a file that the circuit uses");
    }
}
