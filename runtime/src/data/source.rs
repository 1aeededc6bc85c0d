//! Where data come from, and what they turn out to be.

use super::error::DataError;
use super::window::Window;
use flate2::read::MultiGzDecoder;
use pelton_compiler::load::reason;
use std::io::{self, Read};
use std::path::Path;

/// A stream of data and what messages call it.
pub struct Source {
    name: String,
    stream: Box<dyn Read>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({:?})", self.name)
    }
}

impl Source {
    /// Any stream of bytes.
    pub fn new(name: impl Into<String>, stream: impl Read + 'static) -> Self {
        Source {
            name: name.into(),
            stream: Box::new(stream),
        }
    }

    /// A file, or standard input for `-`.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        if path == Path::new("-") {
            return Ok(Source::new("<stdin>", io::stdin()));
        }
        let name = path.display().to_string();
        let unreadable = |error: io::Error| {
            DataError::unreadable(&name, format!("it cannot be read: {}", reason(&error)))
        };
        let file = std::fs::File::open(path).map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.is_dir() {
            return Err(unreadable(io::ErrorKind::IsADirectory.into()));
        }
        Ok(Source::new(name, file))
    }
}

/// The text of a source, unpacked.
pub(super) struct Text {
    /// What messages call it.
    pub name: String,
    /// Its bytes, without a byte order mark.
    pub window: Window,
    is_gzip: bool,
}

impl Text {
    /// Looks at the first bytes: gzip is unpacked, what is no text is named.
    pub fn open(source: Source) -> Result<Self, DataError> {
        let mut text = Text {
            name: source.name,
            window: Window::new(source.stream),
            is_gzip: false,
        };
        text.look()?;
        if text.window.unread().starts_with(&[0x1f, 0x8b]) {
            let unpacked = MultiGzDecoder::new(text.window);
            text.window = Window::new(Box::new(unpacked));
            text.is_gzip = true;
            text.look()?;
        }
        if let Some(format) = foreign(text.window.unread()) {
            let message = format!("it is {format}; this version reads CSV and .data");
            return Err(DataError::unreadable(&text.name, message));
        }
        if text.window.unread().starts_with(b"\xef\xbb\xbf") {
            text.window.consume(3);
        }
        Ok(text)
    }

    fn look(&mut self) -> Result<(), DataError> {
        let looked = self.window.fill_to(8);
        looked.map_err(|error| self.broken(&error))
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

/// What kind of file that is no text the bytes begin.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x1f, 0x8b, ..] => Some("a gzip archive in a gzip archive"),
        [b'P', b'A', b'R', b'1', ..] => Some("a Parquet file"),
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Some("a NumPy array"),
        [b'P', b'K', 3, 4, ..] => Some("a zip archive"),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Some("an xz archive"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("a Zstandard archive"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16 text"),
        [0x80, 2..=5, ..] => Some("a Python pickle"),
        _ => None,
    }
}
