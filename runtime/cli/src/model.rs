//! Reads the circuits that commands are given.
//!
//! MODEL is circuit source, a model file or a circuit of another tool; which of them is
//! seen by its content.

use crate::arguments::{Messages, Reading};
use crate::commands::exit_for;
use crate::exit::Exit;
use crate::refusal::Place;
use crate::{Failure, report};
use pelton_compiler::check::{Checked, Limits};
use pelton_compiler::import::sniff;
use pelton_compiler::load::{
    FileLoader, Input, LARGEST_IMPORT, LARGEST_SOURCE, Program, read_with, reason,
};
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::{Analysis, Options, analyze};
use pelton_grammar::parse::ParseOptions;
use pelton_runtime::store::{Document, StoreError, Stored, looks_like_model};
use std::io::Read;
use std::path::Path;

/// The bytes of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Input, Failure> {
    if path == Path::new("-") {
        let bytes = read_with(std::io::stdin().lock(), largest)
            .map_err(|error| Failure::Usage(format!("standard input cannot be read: {error}")))?;
        return Ok(Input {
            name: "<stdin>".to_string(),
            path: None,
            bytes,
        });
    }
    let file = std::fs::File::open(path).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(std::io::ErrorKind::IsADirectory.into()),
        false => read_with(file, largest),
    });
    let bytes = file.map_err(|error| {
        Failure::Usage(format!(
            "`{}` cannot be read: {}",
            path.display(),
            reason(&error)
        ))
    })?;
    Ok(Input {
        name: path.display().to_string(),
        path: Some(path.to_path_buf()),
        bytes,
    })
}

/// How large a circuit may be that begins like this.
fn largest(start: &[u8]) -> u64 {
    match looks_like_model(start) || sniff("", start).is_some() {
        true => LARGEST_IMPORT,
        false => LARGEST_SOURCE,
    }
}

/// Options of the analysis as the command line gives them.
pub fn options(reading: &Reading) -> Options {
    Options {
        parse: ParseOptions {
            max_depth: reading.max_depth,
        },
        lower: LowerOptions {
            max_size: reading.max_size,
            defines: reading.defines.clone(),
        },
        smooth: reading.smooth,
        limits: Limits::default().scaled(reading.effort),
        ..Options::default()
    }
}

/// A circuit that is right, with what is needed to save it again.
pub struct Opened {
    /// The circuit; that of a model file starts at the stored values.
    pub checked: Checked,
    /// What it is derived from, and what the writer of a model file added.
    pub document: Document,
    /// Its texts and their syntax trees.
    pub program: Program,
}

impl Opened {
    /// The circuit and the texts it comes from.
    pub fn place(&self) -> Place<'_> {
        (self.checked.circuit(), &self.program.sources)
    }
}

/// Reads a circuit that is to be changed and saved. If it is wrong, that has been
/// told, and the exit code comes instead.
pub fn opened(
    path: &Path,
    reading: &Reading,
    messages: &Messages,
) -> Result<Result<Opened, Exit>, Failure> {
    opened_with(path, &options(reading), messages)
}

/// The same with these options of the analysis.
pub fn opened_with(
    path: &Path,
    options: &Options,
    messages: &Messages,
) -> Result<Result<Opened, Exit>, Failure> {
    let (analysis, document) = read_model(path, options)?;
    report::to_stderr(&analysis.found, &analysis.program.sources, messages);
    let exit = exit_for(&analysis.found);
    let (program, _, checked) = analysis.into_parts();
    let opened = checked.map(|checked| Opened {
        checked,
        document,
        program,
    });
    Ok(opened.ok_or(exit))
}

/// Reads a circuit that is to be run. If it is wrong, that has been told, and the
/// exit code comes instead.
pub fn checked(
    path: &Path,
    reading: &Reading,
    messages: &Messages,
) -> Result<Result<Checked, Exit>, Failure> {
    let opened = opened(path, reading, messages)?;
    Ok(opened.map(|opened| opened.checked))
}

/// Reads and analyzes a circuit.
pub fn analyzed(path: &Path, options: &Options) -> Result<Analysis, Failure> {
    read_model(path, options).map(|(analysis, _)| analysis)
}

fn read_model(path: &Path, options: &Options) -> Result<(Analysis, Document), Failure> {
    if is_model_file(path) {
        let stored = Stored::open(path).map_err(|error| not_read(path, &error))?;
        return analyze_stored(stored, path, options);
    }
    let input = read(path)?;
    // What cannot be read twice, such as a pipe, is looked at when it has been read.
    if looks_like_model(&input.bytes) {
        let name = Path::new(&input.name);
        let stored = Stored::from_bytes(&input.bytes).map_err(|error| not_read(name, &error))?;
        return analyze_stored(stored, name, options);
    }
    if let Some(kind) = binary_kind(&input.bytes) {
        let message = format!(
            "`{}` is {kind}, which holds no circuit that can be read; `pelton explain PC0040` lists what can",
            input.name
        );
        return Err(Failure::Usage(message));
    }
    let analysis = analyze(input, &FileLoader, options);
    let document = Document::of(&analysis.program, options);
    Ok((analysis, document))
}

/// What kind of file that is no text the bytes begin, if it has a name. Python's pickles
/// are left to the import, which says what to do about them.
fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'P', b'K', 3, 4, ..] => Some("a zip archive"),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Some("an xz archive"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("a Zstandard archive"),
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] => Some("a bzip2 archive"),
        [0x89, b'H', b'D', b'F', ..] => Some("an HDF5 file"),
        [b'P', b'A', b'R', b'1', 0..0x20, ..] => Some("a Parquet file"),
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Some("an array of NumPy"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16 text"),
        [0x7f, b'E', b'L', b'F', ..] => Some("a program"),
        _ => None,
    }
}

/// Whether this is a model file, whole or not: by its content, or by its name.
pub fn is_model_file(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else {
        return false;
    };
    if !file.metadata().is_ok_and(|meta| meta.is_file()) {
        return false;
    }
    let mut start = Vec::new();
    let is_readable = file.take(9).read_to_end(&mut start).is_ok();
    let is_named = path.extension().is_some_and(|end| end == "pelton");
    is_readable && (looks_like_model(&start) || is_named)
}

fn analyze_stored(
    stored: Stored,
    path: &Path,
    options: &Options,
) -> Result<(Analysis, Document), Failure> {
    if !options.lower.defines.is_empty() {
        let message = format!(
            "the constants of `{}` belong to its parameters and cannot be changed; leave out `-D`",
            path.display()
        );
        return Err(Failure::Usage(message));
    }
    let analysis = stored.analyze(path, options);
    let analysis = analysis.map_err(|error| not_read(path, &error))?;
    Ok((analysis, stored.document))
}

fn not_read(path: &Path, error: &StoreError) -> Failure {
    Failure::Usage(format!("`{}` cannot be read: {error}", path.display()))
}
