//! A statement that cannot be read, explained in plain words at the right place.
//!
//! `locate` finds the token at fault and what could have stood there instead.
//! The tables of mistakes (`keyword`, `frame`, `spelling`, `operator`, `bracket`) know how people
//! come to write such a thing and offer the repair; where none of them has an
//! answer, the message says what was expected and what was found.

mod bracket;
mod expected;
mod fault;
mod frame;
mod keyword;
mod locate;
mod operator;
mod spelling;
#[cfg(test)]
mod tests;

use super::Rule;
use crate::diagnostic::SourceDiagnostic;
use crate::source::{Source, Span};
use fault::SyntaxFault;

type Mistake = fn(&SyntaxFault<'_>) -> Option<SourceDiagnostic>;

/// All known mistakes; the first that fits decides.
const MISTAKES: &[&[Mistake]] = &[
    keyword::MISTAKES,
    frame::MISTAKES,
    spelling::MISTAKES,
    operator::MISTAKES,
    bracket::MISTAKES,
];

/// Explains why the text of `span` does not follow `rule`.
pub(super) fn explain(source: &Source, span: Span, rule: Rule) -> SourceDiagnostic {
    let fault = locate::locate(source, span, rule);
    MISTAKES
        .iter()
        .flat_map(|table| table.iter())
        .find_map(|mistake| mistake(&fault))
        .unwrap_or_else(|| unexpected(&fault))
}

/// What is said when no known mistake fits.
fn unexpected(fault: &SyntaxFault<'_>) -> SourceDiagnostic {
    if fault.expected.is_unknown() {
        let message = format!("{} cannot stand here", fault.found());
        return fault.error_here(message, "not expected");
    }
    let expected = fault.expected.in_words();
    let message = format!("expected {expected}, found {}", fault.found());
    fault.error_here(message, format!("expected {expected}"))
}
