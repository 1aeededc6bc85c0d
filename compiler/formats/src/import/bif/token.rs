//! Words and signs of a `.bif` file.

use crate::import::ImportError;
use pelton_grammar::remedy::RemedyOption;
use pelton_grammar::source::{Source, Span};

/// Signs that stand alone; `,` and `|` are blanks in this format.
const SIGNS: &[u8] = b"{}()[];";

/// A word or a sign with its place.
#[derive(Clone, Copy)]
pub(super) struct BifToken<'a> {
    /// The text, without the quotes of a quoted word.
    pub text: &'a str,
    /// Whether it is a sign and not a word that looks like one.
    pub is_sign: bool,
    pub span: Span,
}

impl BifToken<'_> {
    /// Whether it is this sign.
    pub fn is(&self, sign: &str) -> bool {
        self.is_sign && self.text == sign
    }

    /// A fault at this place.
    pub fn fault(&self, message: impl Into<String>) -> ImportError {
        ImportError::at(self.span, message)
    }
}

/// The tokens of a text, one after the other.
pub(super) struct BifTokens<'a> {
    source: &'a Source,
    at: usize,
    n_left: usize,
}

impl<'a> BifTokens<'a> {
    /// All tokens of a text, which may be so many.
    pub fn of(source: &'a Source, most: usize) -> Self {
        let at = source.text().len() - source.text().trim_start_matches('\u{feff}').len();
        BifTokens {
            source,
            at,
            n_left: most,
        }
    }

    /// The next token; none at the end of the text.
    pub fn next_token(&mut self) -> Result<Option<BifToken<'a>>, ImportError> {
        self.skip_blanks()?;
        let text = self.source.text();
        let Some(&first) = text.as_bytes().get(self.at) else {
            return Ok(None);
        };
        let start = self.at;
        if self.n_left == 0 {
            let message = "the file has more words than the circuit may have units and edges";
            let fault = ImportError::at(self.span(start), message);
            return Err(fault.help(RemedyOption::RaiseSizeLimit));
        }
        self.n_left -= 1;
        if first == b'"' {
            return self.quoted(start).map(Some);
        }
        let is_sign = SIGNS.contains(&first);
        let n_bytes = if is_sign {
            1
        } else {
            word_length(&text[start..])
        };
        self.at += n_bytes;
        Ok(Some(BifToken {
            text: &text[start..self.at],
            is_sign,
            span: self.span(start),
        }))
    }

    /// The next token; `what` says what is missing if there is none.
    pub fn token(&mut self, what: &str) -> Result<BifToken<'a>, ImportError> {
        let end = self.source.span().after();
        let token = self.next_token()?;
        token.ok_or_else(|| ImportError::at(end, format!("the file ends where {what} should be")))
    }

    fn quoted(&mut self, start: usize) -> Result<BifToken<'a>, ImportError> {
        let text = self.source.text();
        let end = text[start + 1..].find(['"', '\n', '\r']);
        let end = end.filter(|&at| text[start + 1 + at..].starts_with('"'));
        let Some(n_bytes) = end else {
            self.at = start + 1;
            let message = "the quoted word that begins here does not end on its line";
            return Err(ImportError::at(self.span(start), message));
        };
        self.at = start + n_bytes + 2;
        Ok(BifToken {
            text: &text[start + 1..self.at - 1],
            is_sign: false,
            span: self.span(start),
        })
    }

    fn skip_blanks(&mut self) -> Result<(), ImportError> {
        loop {
            let rest = &self.source.text()[self.at..];
            let blank = |c: char| c.is_whitespace() || c == ',' || c == '|';
            let comment = rest.trim_start_matches(blank);
            self.at += rest.len() - comment.len();
            if comment.starts_with("//") {
                self.at += comment.find('\n').unwrap_or(comment.len());
            } else if comment.starts_with("/*") {
                let Some(n_bytes) = comment.find("*/") else {
                    let start = self.at;
                    self.at = start + 2;
                    let message = "the comment that begins here does not end";
                    return Err(ImportError::at(self.span(start), message));
                };
                self.at += n_bytes + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.source.id(), start, self.at)
    }
}

/// The bytes up to the next blank, sign, quote or comment.
fn word_length(text: &str) -> usize {
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, ',' | '|' | '"')
            || u8::try_from(c).is_ok_and(|byte| SIGNS.contains(&byte))
    };
    let end = text.find(ends).unwrap_or(text.len());
    let comments = [text[..end].find("//"), text[..end].find("/*")];
    let comment = comments.into_iter().flatten().min();
    // A word that begins with a comment is none, so at least one byte is left.
    comment.filter(|&at| at > 0).unwrap_or(end)
}
