//! Reads the circuits that commands are given.

use crate::arguments::{Messages, Reading};
use crate::commands::exit_for;
use crate::exit::Exit;
use crate::{Failure, foreign, report};
use pelton_compiler::check::{Checked, Limits};
use pelton_compiler::load::{FileLoader, Input, Loader, read_limited, reason};
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::{Analysis, Options, analyze};
use pelton_grammar::parse::ParseOptions;
use std::path::Path;

/// The bytes of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Input, Failure> {
    if path == Path::new("-") {
        let bytes = read_limited(std::io::stdin().lock())
            .map_err(|error| Failure::Usage(format!("standard input cannot be read: {error}")))?;
        return Ok(Input {
            name: "<stdin>".to_string(),
            path: None,
            bytes,
        });
    }
    let bytes = FileLoader.load(path).map_err(|error| {
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

/// Reads a circuit that is to be run. If it is wrong, that has been told, and the
/// exit code comes instead.
pub fn checked(
    path: &Path,
    reading: &Reading,
    messages: &Messages,
) -> Result<Result<Checked, Exit>, Failure> {
    let analysis = analyzed(path, &options(reading))?;
    report::to_stderr(&analysis.found, &analysis.program.sources, messages);
    let exit = exit_for(&analysis.found);
    let checked = analysis.into_checked();
    Ok(checked.ok_or(exit))
}

/// Reads and analyzes a circuit.
pub fn analyzed(path: &Path, options: &Options) -> Result<Analysis, Failure> {
    let input = read(path)?;
    if let Some(format) = foreign::format(&input.bytes) {
        let message = format!(
            "`{}` is {format}; this version reads circuit source (.pcirc) only",
            input.name
        );
        return Err(Failure::Usage(message));
    }
    Ok(analyze(input, &FileLoader, options))
}
