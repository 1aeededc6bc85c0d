//! Reads a text that was made from a program's.

use crate::circuit::Circuit;
use crate::load::{Input, Loader, Program};
use crate::{Options, analyze};
use std::io::ErrorKind;
use std::path::Path;

/// The circuit that `text` means in the place of the program's main text; none if
/// it is wrong.
pub(super) fn read(program: &Program, text: &str, options: &Options) -> Option<Circuit> {
    let main = program.sources.get(program.modules[0].source);
    let input = Input {
        name: main.name().to_string(),
        path: main.path().map(Path::to_path_buf),
        bytes: text.as_bytes().to_vec(),
    };
    let mut options = Options {
        parse: options.parse,
        lower: options.lower.clone(),
        ..Options::default()
    };
    // What was set from outside is part of the text by now.
    options.lower.defines.clear();
    let analysis = analyze(input, &Texts(program), &options);
    analysis.circuit.filter(|_| !analysis.found.has_errors())
}

/// The texts of a program, read from where they were read first.
struct Texts<'a>(&'a Program);

impl Loader for Texts<'_> {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let mut sources = self.0.sources.iter();
        match sources.find(|source| source.path() == Some(path)) {
            Some(source) => Ok(source.text().as_bytes().to_vec()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }
}
