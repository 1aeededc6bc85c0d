//! Characters and numbers of a text.

use crate::import::ImportError;
use crate::import::units::too_large;
use pelton_grammar::source::{Source, Span};

/// Reads a text from its beginning to its end.
pub(super) struct SpflowScanner<'a> {
    source: &'a Source,
    at: usize,
    /// Where the number or word that was read last begins.
    last: usize,
    n_numbers: usize,
    max_numbers: usize,
}

impl<'a> SpflowScanner<'a> {
    /// The whole text, which may hold so many numbers.
    pub fn of(source: &'a Source, max_numbers: usize) -> Self {
        let at = source.text().len() - source.text().trim_start_matches('\u{feff}').len();
        SpflowScanner {
            source,
            at,
            last: at,
            n_numbers: 0,
            max_numbers,
        }
    }

    fn text(&self) -> &'a str {
        self.source.text()
    }

    /// Bytes behind this place.
    pub fn position(&self) -> usize {
        self.at
    }

    /// What was read since `start`.
    pub fn span_from(&self, start: usize) -> Span {
        Span::new(self.source.id(), start, self.at)
    }

    /// A fault at what was read last.
    pub fn fault(&self, message: impl Into<String>) -> ImportError {
        ImportError::at(self.span_from(self.last), message)
    }

    fn rest(&self) -> &'a str {
        &self.text()[self.at..]
    }

    /// The next character that is no blank.
    pub fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    /// Reads a character if it comes next.
    pub fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.at += wanted.len_utf8();
        }
        is_next
    }

    /// Reads a character that has to come next.
    pub fn expect(&mut self, wanted: char) -> Result<(), ImportError> {
        if self.take(wanted) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{wanted}`")))
        }
    }

    /// Reads a character that has to come next; `other` could have come instead.
    pub fn expect_one_of(&mut self, wanted: char, other: char) -> Result<(), ImportError> {
        if self.take(wanted) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{wanted}` or `{other}`")))
        }
    }

    /// Makes sure that nothing follows.
    pub fn end(&mut self) -> Result<(), ImportError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the file")),
        }
    }

    /// The fault of what comes next.
    pub fn unexpected(&mut self, wanted: &str) -> ImportError {
        let Some(found) = self.peek() else {
            let end = self.source.span().after();
            return ImportError::at(end, format!("the file ends where {wanted} should be"));
        };
        let span = Span::new(self.source.id(), self.at, self.at + found.len_utf8());
        ImportError::at(span, format!("{wanted} should stand where `{found}` is"))
    }

    /// Reads characters as long as they belong; what was read may be empty.
    pub fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        self.peek();
        self.last = self.at;
        let rest = self.rest();
        let n_bytes = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += n_bytes;
        &rest[..n_bytes]
    }

    /// A number as Python prints it, also as NumPy 2 does: `np.float64(0.4)`.
    pub fn number(&mut self, what: &str) -> Result<f64, ImportError> {
        self.n_numbers += 1;
        if self.n_numbers > self.max_numbers {
            return Err(too_large(self.span_from(self.at), self.max_numbers));
        }
        let is_wrapped = self.rest().trim_start().starts_with("np.");
        if is_wrapped {
            self.word(|c| c.is_ascii_alphanumeric() || c == '.');
            self.expect('(')?;
        }
        let word = self.word(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-'));
        let number = match word.parse::<f64>() {
            Ok(number) => number,
            Err(_) if word.is_empty() => return Err(self.unexpected(what)),
            Err(_) => return Err(self.fault(format!("`{word}` is no number: {what} is meant"))),
        };
        if is_wrapped {
            self.expect(')')?;
        }
        Ok(number)
    }
}
