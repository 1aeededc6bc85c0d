//! Reads a text that was made from a program's.

use crate::circuit::CircuitGraph;
use crate::load::{Loader, SourceInput, SourceProgram};
use crate::{AnalysisOptions, analyze};
use std::io::ErrorKind;
use std::path::Path;

/// The circuit that `text` means in the place of the program's main text; none if
/// it is wrong.
pub(super) fn read(
    program: &SourceProgram,
    text: &str,
    options: &AnalysisOptions,
) -> Option<CircuitGraph> {
    let main = program.sources.get(program.modules[0].source);
    let input = SourceInput {
        name: main.name().to_string(),
        path: main.path().map(Path::to_path_buf),
        bytes: text.as_bytes().to_vec(),
    };
    let mut options = AnalysisOptions {
        parse: options.parse,
        lower: options.lower.clone(),
        ..AnalysisOptions::default()
    };
    // What was set from outside is part of the text by now.
    options.lower.defines.clear();
    let analysis = analyze(input, &ProgramTextLoader(program), &options);
    analysis.circuit.filter(|_| !analysis.found.has_errors())
}

/// The texts of a program, read from where they were read first.
struct ProgramTextLoader<'a>(&'a SourceProgram);

impl Loader for ProgramTextLoader<'_> {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let mut sources = self.0.sources.iter();
        match sources.find(|source| source.path() == Some(path)) {
            Some(source) => Ok(source.text().as_bytes().to_vec()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }
}
