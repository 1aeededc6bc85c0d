//! Words of a text in which ends of lines mean nothing.

use super::ImportError;
use super::lines::{FormatLine, FormatLines};
use pelton_grammar::source::{Source, Span};

/// The words of all lines that are no comments, one after the other.
pub(super) struct FormatWords<'a> {
    lines: FormatLines<'a>,
    line: Option<FormatLine<'a>>,
    /// Where the text ends.
    end: Span,
}

impl<'a> FormatWords<'a> {
    /// All words of a text.
    pub fn of(source: &'a Source) -> Self {
        FormatWords {
            lines: FormatLines::of(source),
            line: None,
            end: source.span().after(),
        }
    }

    /// The line that holds the next word, if there is one.
    fn current(&mut self) -> Option<&mut FormatLine<'a>> {
        let is_used_up = |line: &FormatLine| line.clone().next_word().is_none();
        if self.line.as_ref().is_none_or(is_used_up) {
            // What was read last stays in place behind the last word.
            self.line = Some(self.lines.next()?);
        }
        self.line.as_mut()
    }

    /// The line that holds the next word; `what` says what is missing if there is none.
    pub fn line(&mut self, what: &str) -> Result<&mut FormatLine<'a>, ImportError> {
        let end = self.end;
        let line = self.current();
        line.ok_or_else(|| ImportError::at(end, format!("the file ends where {what} should be")))
    }

    /// The next word, if there is one.
    pub fn next_word(&mut self) -> Option<&'a str> {
        self.current()?.next_word()
    }

    /// The place of the word that was read last.
    pub fn last_span(&self) -> Span {
        self.line.as_ref().map_or(self.end, FormatLine::last_span)
    }
}
