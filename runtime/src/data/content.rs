//! What a source turns out to be: its first bytes tell.

use super::error::DataError;
use super::source::DataSource;
use super::window::StreamWindow;
use flate2::read::MultiGzDecoder;
use pelton_compiler::load::{BinaryKind, reason};
use std::fs::File;
use std::io::{self, Read};

/// The most bytes of a stream that are kept, where a format has to be read from
/// several places and there is no file to do that with. Without a limit, a small
/// archive could fill the memory.
const LARGEST_KEPT: u64 = 4 << 30;

/// Bytes that rows of any packed source may take, and for each byte of larger ones.
const LARGEST_PACKED: u64 = 1 << 30;
const LARGEST_FACTOR: u64 = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DataFormat {
    /// Lines of cells.
    Text,
    Npy,
    Parquet,
}

/// What a source holds, unpacked.
pub(super) struct UnpackedContent {
    /// What messages call it.
    pub name: String,
    pub format: DataFormat,
    pub window: StreamWindow,
    /// The file that holds the very same bytes, if there is one.
    pub file: Option<File>,
    /// Bytes of the source as it is, if it is a file.
    length: Option<u64>,
    is_gzip: bool,
}

impl UnpackedContent {
    /// Looks at the first bytes: gzip is unpacked, what is of a kind that is not read is named.
    pub fn open(source: DataSource) -> Result<Self, DataError> {
        let metadata = source.file.as_ref().map(File::metadata);
        let mut content = UnpackedContent {
            length: metadata.and_then(Result::ok).map(|metadata| metadata.len()),
            name: source.name,
            format: DataFormat::Text,
            window: StreamWindow::new(source.stream),
            file: source.file,
            is_gzip: false,
        };
        content.look_at(8)?;
        let mut kind = BinaryKind::of(content.window.unread());
        if kind == Some(BinaryKind::Gzip) {
            let unpacked = MultiGzDecoder::new(content.window);
            content.window = StreamWindow::new(Box::new(unpacked));
            content.file = None;
            content.is_gzip = true;
            content.look_at(8)?;
            kind = BinaryKind::of(content.window.unread());
        }
        content.format = match kind {
            None => DataFormat::Text,
            Some(BinaryKind::Parquet) => DataFormat::Parquet,
            Some(BinaryKind::Npy) => DataFormat::Npy,
            Some(foreign) => return Err(not_read(&content.name, foreign)),
        };
        Ok(content)
    }

    /// The next bytes: at least `n_bytes`, unless there are fewer.
    pub fn look_at(&mut self, n_bytes: usize) -> Result<&[u8], DataError> {
        let looked = self.window.fill_to(n_bytes);
        looked.map_err(|error| self.broken(&error))?;
        Ok(self.window.unread())
    }

    /// Passes over what some editors put before a text.
    pub fn skip_byte_order_mark(&mut self) {
        if self.window.unread().starts_with(b"\xef\xbb\xbf") {
            self.window.consume(3);
        }
    }

    /// The most bytes that its rows may take in memory, if there is a limit: data that
    /// are not packed take about as much as their file, but a few kilobytes of archive
    /// may hold any number of rows.
    pub fn most_bytes(&self) -> Option<u64> {
        let is_packed = self.is_gzip || self.format == DataFormat::Parquet;
        let by_length = self.length.unwrap_or(0).saturating_mul(LARGEST_FACTOR);
        is_packed.then(|| by_length.max(LARGEST_PACKED))
    }

    /// All that has not been read, kept in memory.
    pub fn keep(&mut self) -> Result<Vec<u8>, DataError> {
        self.keep_at_most(LARGEST_KEPT)
    }

    fn keep_at_most(&mut self, largest: u64) -> Result<Vec<u8>, DataError> {
        let mut bytes = Vec::new();
        let kept = (&mut self.window).take(largest + 1).read_to_end(&mut bytes);
        kept.map_err(|error| self.broken(&error))?;
        if bytes.len() as u64 > largest {
            return Err(self.too_large(largest));
        }
        Ok(bytes)
    }

    fn too_large(&self, largest: u64) -> DataError {
        let message = format!("there are more than {} MiB in it", largest >> 20);
        DataError::unreadable(&self.name, message).help(
            "this format is read from several places at once, so that it is kept in memory unless \
             it is a file of its own: unpack it, or write it to a file first",
        )
    }

    /// An error of the stream in plain words.
    pub fn broken(&self, error: &io::Error) -> DataError {
        let message = match (self.is_gzip, error.kind()) {
            (true, io::ErrorKind::UnexpectedEof) => {
                "the gzip archive ends too early; was it copied completely?".to_string()
            }
            (true, io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput) => {
                "the gzip archive is damaged".to_string()
            }
            _ => format!("it cannot be read: {}", reason(error)),
        };
        DataError::unreadable(&self.name, message)
    }
}

/// What is wrong with data that are unpacked and of a kind that is not read.
fn not_read(name: &str, kind: BinaryKind) -> DataError {
    let kind = match kind {
        BinaryKind::Gzip => "a gzip archive in a gzip archive",
        kind => kind.title(),
    };
    DataError::unreadable(name, format!("it is {kind}, which is not read"))
        .help("write CSV, .data, Parquet or .npy, each of them gzipped or not")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_are_no_formats() {
        for text in ["PAR1,PAR2\n", "PAR1\n0\n", "PARENT,CHILD\n", "ARROW1,x\n"] {
            let content = UnpackedContent::open(DataSource::new("d.csv", text.as_bytes())).unwrap();
            assert_eq!(content.format, DataFormat::Text, "{text}");
        }
        let content =
            UnpackedContent::open(DataSource::new("d", &b"PAR1\x15\x04\x15\x08"[..])).unwrap();
        assert_eq!(content.format, DataFormat::Parquet);
    }

    #[test]
    fn a_stream_is_kept_up_to_a_limit() {
        let content = || UnpackedContent::open(DataSource::new("pipe", io::repeat(b'x'))).unwrap();
        let error = content().keep_at_most(1 << 20).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("pipe: there are more than 1 MiB in it\n")
        );
        let mut whole = UnpackedContent::open(DataSource::new("pipe", &b"0123456789"[..])).unwrap();
        assert_eq!(whole.keep_at_most(10).unwrap(), b"0123456789");
    }
}
