//! Where data come from.

use super::error::DataError;
use pelton_compiler::load::reason;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

/// A stream of data and what messages call it.
pub struct DataSource {
    pub(super) name: String,
    pub(super) stream: Box<dyn Read + Send>,
    /// The same file once more, for formats that are read from several places.
    pub(super) file: Option<File>,
}

impl std::fmt::Debug for DataSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({:?})", self.name)
    }
}

impl DataSource {
    /// Any stream of bytes.
    pub fn new(name: impl Into<String>, stream: impl Read + Send + 'static) -> Self {
        DataSource {
            name: name.into(),
            stream: Box::new(stream),
            file: None,
        }
    }

    /// What is in memory. A stream that is read several times, such as standard input
    /// whose columns are looked at before its rows, is kept once and shared.
    pub fn from_bytes(name: impl Into<String>, bytes: Arc<[u8]>) -> Self {
        DataSource::new(name, Cursor::new(bytes))
    }

    /// A file, or standard input for `-`.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        if path == Path::new("-") {
            return Ok(DataSource::new("<stdin>", io::stdin()));
        }
        let name = path.display().to_string();
        let unreadable = |error: io::Error| {
            DataError::unreadable(&name, format!("it cannot be read: {}", reason(&error)))
        };
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(unreadable(io::ErrorKind::IsADirectory.into()));
        }
        // A pipe that has a name is a stream all the same.
        let again = metadata.is_file().then(|| file.try_clone());
        Ok(DataSource {
            file: again.transpose().map_err(unreadable)?,
            ..DataSource::new(name, file)
        })
    }
}
