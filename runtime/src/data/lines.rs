//! A text cut into lines, each with its number.

use super::content::UnpackedContent;
use super::error::DataError;
use super::record::QuotedLine;
use super::window::{LONGEST_LINE, StreamWindow};
use memchr::{memchr, memchr2};

/// The lines of a text. Blank lines are passed over; a line goes on behind a line
/// end that stands in quotes.
pub(super) struct TextLines {
    text: UnpackedContent,
    delimiter: u8,
    quotes: QuotedLine,
    /// Number of the line that comes next, from 1.
    next_number: u64,
}

/// Where a line ends: the end of its content, and where the next one begins.
#[derive(Clone, Copy)]
struct LineEnd {
    content: usize,
    next: usize,
}

impl TextLines {
    /// The lines of a text, with the delimiter that its first line uses.
    pub fn open(mut text: UnpackedContent) -> Result<Self, DataError> {
        text.skip_byte_order_mark();
        let mut lines = TextLines {
            text,
            delimiter: b',',
            quotes: QuotedLine::new(b','),
            next_number: 1,
        };
        if let Some(first) = lines.peek()? {
            lines.delimiter = delimiter_of(first);
            lines.quotes = QuotedLine::new(lines.delimiter);
        }
        Ok(lines)
    }

    pub fn name(&self) -> &str {
        &self.text.name
    }

    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The number of the line that comes next.
    pub fn next_number(&self) -> u64 {
        self.next_number
    }

    /// The bytes in memory that have not been taken.
    pub fn unread(&self) -> &[u8] {
        self.window().unread()
    }

    fn window(&self) -> &StreamWindow {
        &self.text.window
    }

    /// Takes `n_lines` whole lines of `n_bytes` bytes from [`TextLines::unread`].
    pub fn take_unread(&mut self, n_lines: usize, n_bytes: usize) {
        self.text.window.consume(n_bytes);
        self.next_number += n_lines as u64;
    }

    /// The next line, without taking it.
    pub fn peek(&mut self) -> Result<Option<&[u8]>, DataError> {
        let end = self.find()?;
        Ok(end.map(|end| &self.unread()[..end.content]))
    }

    /// Hands the next line and its number to `body`, then takes it.
    pub fn next<T>(
        &mut self,
        body: impl FnOnce(&str, u64, &[u8]) -> Result<T, DataError>,
    ) -> Result<Option<T>, DataError> {
        let Some(end) = self.find()? else {
            return Ok(None);
        };
        let line = &self.unread()[..end.content];
        let result = body(self.name(), self.next_number, line)?;
        self.next_number += line_ends(&self.unread()[..end.next]);
        self.text.window.consume(end.next);
        Ok(Some(result))
    }

    /// The end of the next line that is not blank; blank ones are taken.
    fn find(&mut self) -> Result<Option<LineEnd>, DataError> {
        loop {
            let Some(end) = self.find_any()? else {
                return Ok(None);
            };
            if !self.unread()[..end.content].trim_ascii().is_empty() {
                return Ok(Some(end));
            }
            self.next_number += line_ends(&self.unread()[..end.next]);
            self.text.window.consume(end.next);
        }
    }

    fn find_any(&mut self) -> Result<Option<LineEnd>, DataError> {
        loop {
            let is_last = !self.window().has_more();
            if let Some(end) = line_end(self.text.window.unread(), &mut self.quotes, is_last) {
                return Ok(Some(end));
            }
            if is_last {
                let (content, next) = (self.unread().len(), self.unread().len());
                return Ok((next > 0).then_some(LineEnd { content, next }));
            }
            if self.unread().len() > LONGEST_LINE {
                return Err(self.too_long());
            }
            let filled = self.text.window.fill();
            filled.map_err(|error| self.text.broken(&error))?;
        }
    }

    fn too_long(&self) -> DataError {
        let message = format!("the line is longer than {} MiB", LONGEST_LINE >> 20);
        let error = DataError::unfit(self.name(), message).on_line(self.next_number);
        error.help("is a quote left open, or is it no text?")
    }
}

/// Where the first line of `bytes` ends, if that is in sight. At the end of the
/// text (`is_last`) a line needs no line end.
fn line_end(bytes: &[u8], quotes: &mut QuotedLine, is_last: bool) -> Option<LineEnd> {
    let found = memchr2(b'\n', b'\r', bytes)?;
    let found = match memchr(b'"', &bytes[..found]) {
        None => found,
        Some(_) => quotes.end(bytes)?,
    };
    let length = match &bytes[found..] {
        [b'\r', b'\n', ..] => 2,
        // What follows a carriage return decides, so it has to be seen.
        [b'\r'] if !is_last => return None,
        _ => 1,
    };
    Some(LineEnd {
        content: found,
        next: found + length,
    })
}

fn line_ends(bytes: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    // Text with carriage returns only has as many lines as those.
    let returns = || memchr::memchr_iter(b'\r', bytes).count();
    (if feeds > 0 { feeds } else { returns() }) as u64
}

/// The delimiter that stands most often in a line; commas where none does.
fn delimiter_of(line: &[u8]) -> u8 {
    let count = |delimiter: u8| {
        let mut is_quoted = false;
        let outside = line.iter().filter(|&&byte| {
            is_quoted ^= byte == b'"';
            byte == delimiter && !is_quoted
        });
        outside.count()
    };
    // The last of equal ones wins.
    let candidates = [b'\t', b';', b','].into_iter();
    candidates.max_by_key(|&d| count(d)).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::DataSource;

    fn all(text: &'static str) -> Vec<(u64, String)> {
        let mut lines = {
            let content = UnpackedContent::open(DataSource::new("t", text.as_bytes())).unwrap();
            TextLines::open(content).unwrap()
        };
        let mut found = Vec::new();
        let keep =
            |_: &str, number, line: &[u8]| Ok((number, String::from_utf8_lossy(line).into_owned()));
        while let Some(line) = lines.next(keep).unwrap() {
            found.push(line);
        }
        found
    }

    #[test]
    fn lines_end_in_every_fashion_and_blank_ones_count() {
        let lines = [(1, "a,b".to_string()), (3, "c".to_string())];
        for text in [
            "a,b\n\nc\n",
            "a,b\r\n\r\nc",
            "a,b\r\rc",
            "\u{feff}a,b\n \nc",
        ] {
            assert_eq!(all(text), lines, "{text:?}");
        }
    }

    #[test]
    fn quoted_line_ends_belong_to_a_line_and_are_counted() {
        let text = "\"a\nb\",c\n5\"\" pipe,\"d\"\"\n\"\nlast";
        let numbers: Vec<u64> = all(text).iter().map(|line| line.0).collect();
        assert_eq!(numbers, [1, 3, 5]);
        assert_eq!(all(text)[1].1, "5\"\" pipe,\"d\"\"\n\"");
    }

    #[test]
    fn the_first_line_tells_the_delimiter() {
        assert_eq!(delimiter_of(b"a;b;\"c,,,\""), b';');
        assert_eq!(delimiter_of(b"a\tb"), b'\t');
        assert_eq!(delimiter_of(b"a,b;c"), b',');
        assert_eq!(delimiter_of(b"a"), b',');
    }
}
