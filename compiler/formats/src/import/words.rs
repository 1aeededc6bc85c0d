//! Words of a text in which ends of lines mean nothing.

use super::Fault;
use super::lines::{Line, Lines};
use pelton_grammar::source::{Source, Span};

/// The words of all lines that are no comments, one after the other.
pub(super) struct Words<'a> {
    lines: Lines<'a>,
    line: Option<Line<'a>>,
    /// Where the text ends.
    end: Span,
}

impl<'a> Words<'a> {
    /// All words of a text.
    pub fn of(source: &'a Source) -> Self {
        Words {
            lines: Lines::of(source),
            line: None,
            end: source.span().after(),
        }
    }

    /// The line that holds the next word, if there is one.
    fn current(&mut self) -> Option<&mut Line<'a>> {
        let is_used_up = |line: &Line| line.clone().next_word().is_none();
        if self.line.as_ref().is_none_or(is_used_up) {
            // What was read last stays in place behind the last word.
            self.line = Some(self.lines.next()?);
        }
        self.line.as_mut()
    }

    /// The line that holds the next word; `what` says what is missing if there is none.
    pub fn line(&mut self, what: &str) -> Result<&mut Line<'a>, Fault> {
        let end = self.end;
        let line = self.current();
        line.ok_or_else(|| Fault::at(end, format!("the file ends where {what} should be")))
    }

    /// The next word, if there is one.
    pub fn next_word(&mut self) -> Option<&'a str> {
        self.current()?.next_word()
    }

    /// The place of the word that was read last.
    pub fn last_span(&self) -> Span {
        self.line.as_ref().map_or(self.end, Line::last_span)
    }
}
