//! A failed statement in plain words, at the right place.

use super::Rule;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};
use pest::error::{Error, InputLocation};

/// Turns pest's error on the statement at `statement` into a message.
pub(super) fn explain(source: &Source, statement: Span, error: &Error<Rule>) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) => at,
        InputLocation::Span((start, _)) => start,
    };
    let start = statement.start as usize + at;
    let length = source.text()[start..]
        .chars()
        .next()
        .map_or(0, char::len_utf8);
    Diagnostic::new(
        Code::Syntax,
        Span::new(source.id(), start, start + length),
        "this statement cannot be read",
    )
    .at("unexpected here")
}
