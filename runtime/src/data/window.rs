//! A stream with the part of it that is in memory.

use std::io::{self, Read};

/// Bytes held at first; lines that are longer make it grow.
const FIRST_SIZE: usize = 256 << 10;

/// The longest line that is read. Without a limit, an endless stream without
/// line ends would fill the memory.
pub(super) const LONGEST_LINE: usize = 16 << 20;

/// A stream of which the unread beginning can be looked at.
pub(super) struct StreamWindow {
    stream: Box<dyn Read + Send>,
    bytes: Vec<u8>,
    from: usize,
    to: usize,
    is_done: bool,
}

impl StreamWindow {
    pub fn new(stream: Box<dyn Read + Send>) -> Self {
        StreamWindow {
            stream,
            bytes: vec![0; FIRST_SIZE],
            from: 0,
            to: 0,
            is_done: false,
        }
    }

    /// What is in memory and not yet consumed.
    pub fn unread(&self) -> &[u8] {
        &self.bytes[self.from..self.to]
    }

    /// Marks bytes at the front as read.
    pub fn consume(&mut self, n_bytes: usize) {
        self.from += n_bytes;
        debug_assert!(self.from <= self.to, "only what is in memory is consumed");
    }

    /// Whether the stream has more than is in memory, as far as is known.
    pub fn has_more(&self) -> bool {
        !self.is_done
    }

    /// Reads on. The window grows only if it is full of unread bytes.
    pub fn fill(&mut self) -> io::Result<()> {
        if self.from > 0 {
            self.bytes.copy_within(self.from..self.to, 0);
            self.to -= self.from;
            self.from = 0;
        }
        if self.to == self.bytes.len() {
            self.bytes.resize(2 * self.to, 0);
        }
        loop {
            match self.stream.read(&mut self.bytes[self.to..]) {
                Ok(n_bytes) => {
                    self.to += n_bytes;
                    self.is_done = n_bytes == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads on until at least `n_bytes` are in memory or the stream ends.
    pub fn fill_to(&mut self, n_bytes: usize) -> io::Result<()> {
        while self.unread().len() < n_bytes && self.has_more() {
            self.fill()?;
        }
        Ok(())
    }
}

impl Read for StreamWindow {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.unread().is_empty() && self.has_more() {
            self.fill()?;
        }
        let n_bytes = out.len().min(self.unread().len());
        out[..n_bytes].copy_from_slice(&self.unread()[..n_bytes]);
        self.consume(n_bytes);
        Ok(n_bytes)
    }
}
