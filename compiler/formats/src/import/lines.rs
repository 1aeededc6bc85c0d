//! Lines of words, as most formats of the neighbours have them.

use super::ImportError;
use pelton_grammar::diagnostic::quoted_list;
use pelton_grammar::source::{Source, Span};

/// What a file calls a unit: a label, not a position.
pub(super) type FileUnitId = i64;

/// The lines of a text that are neither blank nor comments (`c` or `cc` first).
pub(super) struct FormatLines<'a> {
    source: &'a Source,
    rest: &'a str,
}

impl<'a> FormatLines<'a> {
    /// All lines of a text.
    pub fn of(source: &'a Source) -> Self {
        let text = source.text();
        FormatLines {
            source,
            rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        }
    }

    /// All lines behind the first, which begins with this word. What else stands there
    /// is a count, which is wrong in many files.
    pub fn behind(source: &'a Source, word: &str) -> Result<Self, ImportError> {
        let mut lines = FormatLines::of(source);
        let mut header = lines.next();
        match header.as_mut().and_then(FormatLine::next_word) {
            Some(first) if first == word => Ok(lines),
            _ => Err(
                ImportError::whole(format!("the file does not begin with `{word}`"))
                    .help("its first lines may be missing"),
            ),
        }
    }
}

impl<'a> Iterator for FormatLines<'a> {
    type Item = FormatLine<'a>;

    fn next(&mut self) -> Option<FormatLine<'a>> {
        while !self.rest.is_empty() {
            let start = self.source.text().len() - self.rest.len();
            let end = memchr::memchr(b'\n', self.rest.as_bytes()).unwrap_or(self.rest.len());
            let text = &self.rest[..end];
            self.rest = &self.rest[(end + 1).min(self.rest.len())..];
            let line = FormatLine {
                source: self.source,
                start,
                text,
                word: 0,
                at: 0,
            };
            if !matches!(line.clone().next_word(), None | Some("c" | "cc")) {
                return Some(line);
            }
        }
        None
    }
}

/// One line, read word by word.
#[derive(Clone)]
pub(super) struct FormatLine<'a> {
    source: &'a Source,
    start: usize,
    text: &'a str,
    /// Where the word that was read last begins.
    word: usize,
    /// Where it ends.
    at: usize,
}

impl<'a> FormatLine<'a> {
    /// The next word, if there is one.
    pub fn next_word(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let start = at;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        (self.word, self.at) = (start, at);
        (start < at).then(|| &self.text[start..at])
    }

    /// The place of the whole line.
    pub fn span(&self) -> Span {
        let n_bytes = self.text.trim_end().len();
        Span::new(self.source.id(), self.start, self.start + n_bytes)
    }

    /// The place of the word that was read last.
    pub fn last_span(&self) -> Span {
        Span::new(
            self.source.id(),
            self.start + self.word,
            self.start + self.at,
        )
    }

    /// A fault at the word that was read last.
    pub fn fault(&self, message: impl Into<String>) -> ImportError {
        ImportError::at(self.last_span(), message)
    }

    /// The next word; `what` says what is missing if there is none.
    pub fn word(&mut self, what: &str) -> Result<&'a str, ImportError> {
        let word = self.next_word();
        word.ok_or_else(|| {
            let message = format!("the line ends where the {what} should be");
            ImportError::at(self.span(), message)
        })
    }

    /// The next word as one of the letters of kinds of units.
    pub fn kind(&mut self, known: &[&str]) -> Result<&'a str, ImportError> {
        let kind = self.word("kind of a unit")?;
        if known.contains(&kind) {
            return Ok(kind);
        }
        let (last, others) = known.split_last().expect("a format has kinds of units");
        let others = quoted_list(others);
        let message = format!("`{kind}` is no kind of unit: {others} or `{last}` is meant");
        Err(self.fault(message))
    }

    /// The next word as an integer.
    pub fn int(&mut self, what: &str) -> Result<i64, ImportError> {
        let word = self.word(what)?;
        word.parse()
            .map_err(|_| self.fault(format!("`{word}` is no {what}: an integer is meant")))
    }

    /// The next word as an integer from 0 up.
    pub fn index(&mut self, what: &str) -> Result<usize, ImportError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| {
            self.fault(format!(
                "`{word}` is no {what}: an integer from 0 up is meant"
            ))
        })
    }

    /// The next word as a number that is not NaN.
    pub fn number(&mut self, what: &str) -> Result<f64, ImportError> {
        let word = self.word(what)?;
        match word.parse::<f64>() {
            Ok(number) if !number.is_nan() => Ok(number),
            _ => Err(self.fault(format!("`{word}` is no {what}: a number is meant"))),
        }
    }

    /// Makes sure that nothing follows.
    pub fn end(mut self) -> Result<(), ImportError> {
        match self.next_word() {
            Some(word) => Err(self.fault(format!("`{word}` stands behind the end of the entry"))),
            None => Ok(()),
        }
    }

    /// The next word as a whole number from 0 up that names a unit.
    pub fn id(&mut self) -> Result<FileUnitId, ImportError> {
        let word = self.word("id of a unit")?;
        let id = word.parse::<i64>().ok().filter(|id| *id >= 0);
        id.ok_or_else(|| self.fault(format!("`{word}` is no id: an integer from 0 up is meant")))
    }

    /// The next word as the number of elements of a decision.
    pub fn n_elements(&mut self) -> Result<usize, ImportError> {
        match self.index("number of elements")? {
            0 => Err(self.fault("a decision has at least one element")),
            n_elements => Ok(n_elements),
        }
    }

    /// How many words are left.
    pub fn n_left(&self) -> usize {
        let mut rest = self.clone();
        std::iter::from_fn(|| rest.next_word()).count()
    }

    /// The next word as a logarithm: a number below infinity.
    pub fn log(&mut self, what: &str) -> Result<f64, ImportError> {
        match self.number(what)? {
            f64::INFINITY => Err(self.fault(format!("the {what} is infinite"))),
            log => Ok(log),
        }
    }

    /// The next word as a probability.
    pub fn probability(&mut self, what: &str) -> Result<f64, ImportError> {
        let number = self.number(what)?;
        if (0.0..=1.0).contains(&number) {
            Ok(number)
        } else {
            Err(self.fault(format!(
                "{number} is no {what}: a number from 0 to 1 is meant"
            )))
        }
    }
}
