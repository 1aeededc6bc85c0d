//! Circuits that are no circuit source, as the compiler sees them.

use crate::load::{SourceInput, SourceProgram};
use crate::lower::{LowerOptions, Lowered};
use pelton_grammar::diagnostic::SourceDiagnostics;
use std::fmt::Debug;

/// Readers of circuits that other tools wrote. They take the place of parsing, loading and
/// lowering; what they give passes the same repairs and checks as circuit source.
pub trait ForeignFormats: Debug + Sync {
    /// Whether the beginning of a file, or failing that its name, says that it is in one of
    /// the formats.
    fn recognizes(&self, name: &str, start: &[u8]) -> bool;

    /// Reads a circuit that was recognized. If it cannot be read, that is reported.
    fn read(
        &self,
        input: SourceInput,
        options: &LowerOptions,
        found: &mut SourceDiagnostics,
    ) -> (SourceProgram, Option<Lowered>);
}
