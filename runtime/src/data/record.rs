//! A line cut into cells.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// The cells of one line. The buffers are kept from line to line.
pub(super) struct Record {
    delimiter: u8,
    unquote: Reader,
    /// The cells of a line with quotes, without them.
    unquoted: Vec<u8>,
    ends: Vec<usize>,
    cells: Vec<(usize, usize)>,
    /// For each cell of a line with quotes, whether it is in quotes itself.
    quoted: Vec<bool>,
    is_quoted: bool,
}

impl Record {
    /// Cells between `delimiter`s.
    pub fn new(delimiter: u8) -> Self {
        Record {
            delimiter,
            unquote: ReaderBuilder::new().delimiter(delimiter).build(),
            unquoted: Vec::new(),
            ends: Vec::new(),
            cells: Vec::new(),
            quoted: Vec::new(),
            is_quoted: false,
        }
    }

    /// Finds the cells of `line`.
    pub fn cut(&mut self, line: &[u8]) {
        self.cells.clear();
        self.is_quoted = memchr::memchr(b'"', line).is_some();
        if self.is_quoted {
            self.unquote(line);
            self.find_quoted(line);
            return;
        }
        let mut from = 0;
        for end in memchr::memchr_iter(self.delimiter, line) {
            self.cells.push((from, end));
            from = end + 1;
        }
        self.cells.push((from, line.len()));
    }

    fn unquote(&mut self, line: &[u8]) {
        // Unquoting only takes bytes away, and every delimiter ends one cell.
        self.unquoted.resize(line.len(), 0);
        let n_delimiters = memchr::memchr_iter(self.delimiter, line).count();
        self.ends.resize(n_delimiters + 1, 0);
        self.unquote.reset();
        let (result, _, n_bytes, n_cells) =
            self.unquote
                .read_record(line, &mut self.unquoted, &mut self.ends);
        let mut n_cells = n_cells;
        if result == ReadRecordResult::InputEmpty {
            // The line end is not part of the line: an empty input says that it is over.
            let rest = &mut self.unquoted[n_bytes..];
            let (_, _, _, more) = self
                .unquote
                .read_record(&[], rest, &mut self.ends[n_cells..]);
            n_cells += more;
        }
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let bounds = starts.zip(self.ends.iter().copied());
        self.cells.extend(bounds.take(n_cells));
    }

    /// Finds the cells that are in quotes: a quote opens a cell at its beginning, or again
    /// where it was just closed; elsewhere it is a letter.
    fn find_quoted(&mut self, line: &[u8]) {
        self.quoted.clear();
        self.quoted.push(line.first() == Some(&b'"'));
        let (mut is_open, mut may_open) = (false, true);
        for (at, &byte) in line.iter().enumerate() {
            match byte {
                b'"' if is_open => (is_open, may_open) = (false, true),
                b'"' if may_open => is_open = true,
                _ if byte == self.delimiter && !is_open => {
                    self.quoted.push(line.get(at + 1) == Some(&b'"'));
                    may_open = true;
                }
                _ => may_open = false,
            }
        }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// One cell of the line that was cut last: as it stands between quotes, else without
    /// white space around it.
    pub fn cell<'r>(&'r self, line: &'r [u8], at: usize) -> &'r [u8] {
        let (from, to) = self.cells[at];
        if !self.is_quoted {
            return line[from..to].trim_ascii();
        }
        let cell = &self.unquoted[from..to];
        match self.quoted.get(at) {
            Some(true) => cell,
            _ => cell.trim_ascii(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> Vec<String> {
        let mut record = Record::new(b',');
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
