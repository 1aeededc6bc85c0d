//! Lines of bounded length.

use std::io::{BufRead, Read, Result};

/// A request ends here; so do lines of data.
const LONGEST: u64 = 16 << 20;

/// The lines of an input.
pub struct StreamLines<R> {
    input: R,
    line: Vec<u8>,
}

/// A line without its end.
pub enum StreamLine<'a> {
    Text(&'a [u8]),
    /// It was passed over.
    TooLong,
}

impl<R: BufRead> StreamLines<R> {
    pub fn new(input: R) -> Self {
        StreamLines {
            input,
            line: Vec::new(),
        }
    }

    /// The next line; none behind the last one.
    pub fn next(&mut self) -> Option<Result<StreamLine<'_>>> {
        self.line.clear();
        let mut bounded = self.input.by_ref().take(LONGEST + 1);
        match bounded.read_until(b'\n', &mut self.line) {
            Err(error) => Some(Err(error)),
            Ok(0) => None,
            Ok(_) if self.line.last() == Some(&b'\n') => {
                self.line.pop();
                Some(Ok(StreamLine::Text(&self.line)))
            }
            Ok(n) if n as u64 <= LONGEST => Some(Ok(StreamLine::Text(&self.line))),
            Ok(_) => Some(self.input.skip_until(b'\n').map(|_| StreamLine::TooLong)),
        }
    }
}

/// What is said of a line that is too long.
pub fn too_long() -> String {
    format!(
        "the line is longer than {} MiB; ask about fewer rows at a time",
        LONGEST >> 20
    )
}
