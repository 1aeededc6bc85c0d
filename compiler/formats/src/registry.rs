//! The formats as the compiler sees them.

use crate::import::{import, sniff};
use pelton_compiler::load::{Loader, SourceInput, SourceProgram};
use pelton_compiler::lower::{LowerOptions, Lowered};
use pelton_compiler::{Analysis, AnalysisOptions, ForeignFormats};
use pelton_grammar::diagnostic::SourceDiagnostics;

/// All formats that this crate reads, for [`AnalysisOptions::foreign`].
pub static FOREIGN_FORMATS: &dyn ForeignFormats = &AllFormats;

#[derive(Debug)]
struct AllFormats;

impl ForeignFormats for AllFormats {
    fn recognizes(&self, name: &str, start: &[u8]) -> bool {
        sniff(name, start).is_some()
    }

    fn read(
        &self,
        input: SourceInput,
        options: &LowerOptions,
        found: &mut SourceDiagnostics,
    ) -> (SourceProgram, Option<Lowered>) {
        let format = sniff(&input.name, &input.bytes).expect("the input was recognized");
        import(input, format, options, found)
    }
}

/// [Analyzes](pelton_compiler::analyze) circuit source or a circuit of another tool.
pub fn analyze(input: SourceInput, loader: &dyn Loader, options: &AnalysisOptions) -> Analysis {
    let options = AnalysisOptions {
        foreign: Some(FOREIGN_FORMATS),
        ..options.clone()
    };
    pelton_compiler::analyze(input, loader, &options)
}
