//! The formats as the compiler sees them.

use crate::import::{import, sniff};
use pelton_compiler::load::{Input, Loader, Program};
use pelton_compiler::lower::{LowerOptions, Lowered};
use pelton_compiler::{Analysis, ForeignFormats, Options};
use pelton_grammar::diagnostic::Diagnostics;

/// All formats that this crate reads, for [`Options::foreign`].
pub static FOREIGN_FORMATS: &dyn ForeignFormats = &AllFormats;

#[derive(Debug)]
struct AllFormats;

impl ForeignFormats for AllFormats {
    fn recognizes(&self, name: &str, start: &[u8]) -> bool {
        sniff(name, start).is_some()
    }

    fn read(
        &self,
        input: Input,
        options: &LowerOptions,
        found: &mut Diagnostics,
    ) -> (Program, Option<Lowered>) {
        let format = sniff(&input.name, &input.bytes).expect("the input was recognized");
        import(input, format, options, found)
    }
}

/// [Analyzes](pelton_compiler::analyze) circuit source or a circuit of another tool.
pub fn analyze(input: Input, loader: &dyn Loader, options: &Options) -> Analysis {
    let options = Options {
        foreign: Some(FOREIGN_FORMATS),
        ..options.clone()
    };
    pelton_compiler::analyze(input, loader, &options)
}
