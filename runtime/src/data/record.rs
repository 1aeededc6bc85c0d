//! A line cut into cells.

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};
use std::ops::Range;

/// The cells of one line. The buffers are kept from line to line.
pub(super) struct TextRecord {
    delimiter: u8,
    quotes: QuotedLine,
    cells: Vec<Range<usize>>,
    /// For each cell of a line with quotes, whether it is in quotes itself.
    quoted: Vec<bool>,
    is_quoted: bool,
}

impl TextRecord {
    /// Cells between `delimiter`s.
    pub fn new(delimiter: u8) -> Self {
        TextRecord {
            delimiter,
            quotes: QuotedLine::new(delimiter),
            cells: Vec::new(),
            quoted: Vec::new(),
            is_quoted: false,
        }
    }

    pub fn cut(&mut self, line: &[u8]) {
        self.cells.clear();
        self.is_quoted = memchr::memchr(b'"', line).is_some();
        if self.is_quoted {
            self.quoted.clear();
            self.quotes.cut(line, |from, cell| {
                self.cells.push(cell);
                self.quoted.push(line.get(from) == Some(&b'"'));
            });
            return;
        }
        let mut from = 0;
        for end in memchr::memchr_iter(self.delimiter, line) {
            self.cells.push(from..end);
            from = end + 1;
        }
        self.cells.push(from..line.len());
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// One cell of the line that was cut last: as it stands between quotes, else without
    /// white space around it.
    pub fn cell<'r>(&'r self, line: &'r [u8], at: usize) -> &'r [u8] {
        let range = self.cells[at].clone();
        if !self.is_quoted {
            return line[range].trim_ascii();
        }
        let cell = &self.quotes.unquoted[range];
        if self.quoted[at] {
            cell
        } else {
            cell.trim_ascii()
        }
    }
}

/// What quotes mean: one opens a cell at its beginning, or again where it was just closed;
/// elsewhere it is a letter.
pub(super) struct QuotedLine {
    reader: Reader,
    /// The cells without their quotes.
    unquoted: Vec<u8>,
}

impl QuotedLine {
    /// Cells between `delimiter`s.
    pub fn new(delimiter: u8) -> Self {
        QuotedLine {
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            unquoted: Vec::new(),
        }
    }

    /// Where the first line of `text` ends; none if its end is not in sight.
    pub fn end(&mut self, text: &[u8]) -> Option<usize> {
        self.cut(text, |_, _| {})
    }

    /// Cuts the first line of `text`; tells of each cell where it begins and where it is
    /// without quotes. Gives where the line ends; none if its end is not in sight.
    fn cut(&mut self, text: &[u8], mut cell: impl FnMut(usize, Range<usize>)) -> Option<usize> {
        // Unquoting only takes bytes away.
        if self.unquoted.len() < text.len() {
            self.unquoted.resize(text.len(), 0);
        }
        self.reader.reset();
        let (mut at, mut to) = (0, 0);
        let (mut begin, mut from) = (0, 0);
        loop {
            let (rest, room) = (&text[at..], &mut self.unquoted[to..]);
            let (result, n_read, n_written) = self.reader.read_field(rest, room);
            at += n_read;
            to += n_written;
            match result {
                ReadFieldResult::Field { record_end } => {
                    cell(begin, from..to);
                    (begin, from) = (at, to);
                    if record_end {
                        // At the end of the text nothing is read.
                        return (n_read > 0).then(|| at - 1);
                    }
                }
                // An empty rest, which comes next, says that the text is over.
                ReadFieldResult::InputEmpty => {}
                ReadFieldResult::OutputFull | ReadFieldResult::End => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> Vec<String> {
        let mut record = TextRecord::new(b',');
        record.cut(line.as_bytes());
        let cell = |at| String::from_utf8_lossy(record.cell(line.as_bytes(), at)).into_owned();
        (0..record.len()).map(cell).collect()
    }

    #[test]
    fn lines_are_cut_into_cells() {
        assert_eq!(cells("a, b ,,c"), ["a", "b", "", "c"]);
        assert_eq!(cells("a,"), ["a", ""]);
        assert_eq!(cells("\"a,b\",\"c\"\"d\",e"), ["a,b", "c\"d", "e"]);
        assert_eq!(cells("a,\"two\nlines\""), ["a", "two\nlines"]);
        assert_eq!(cells("\"a\","), ["a", ""]);
        assert_eq!(cells("5\" pipe,x"), ["5\" pipe", "x"]);
    }
}
