//! What can be wrong with a model file.

use std::fmt;

/// Why a model file could not be read or written. Shown as a sentence about the
/// file that goes on after its name: "it is cut short: …".
#[derive(Debug)]
pub enum StoreError {
    /// The file cannot be read or written.
    Io(std::io::Error),
    /// It is something else, described here.
    NotModel(String),
    /// This many bytes are missing at its end.
    CutShort(u64),
    /// It has this version of the format, which is none that can be read.
    Version(String),
    /// A part is missing or not as it has to be, described here.
    Damaged(String),
    /// The circuit that the text means now is not the one that was saved.
    Differs,
    /// The text in it has errors; this is the first.
    Text(String),
    /// The values to be saved are no values of their parameters, as described here.
    Unsound(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Io(error) => match error.kind() {
                std::io::ErrorKind::NotFound => f.write_str("there is no such file"),
                std::io::ErrorKind::PermissionDenied => f.write_str("access is denied"),
                _ => write!(f, "{error}"),
            },
            StoreError::NotModel(what) => write!(f, "it is no model file: {what}"),
            StoreError::CutShort(1) => f.write_str("it is cut short: the last byte is missing"),
            StoreError::CutShort(n) => write!(f, "it is cut short: {n} bytes are missing"),
            StoreError::Version(version) => write!(
                f,
                "it has version {version} of the format, and this program reads version {}",
                super::document::VERSION
            ),
            StoreError::Damaged(what) => write!(f, "it is damaged: {what}"),
            StoreError::Differs => f.write_str(
                "its parameters belong to another circuit than its text describes: it was made by \
                 a version that reads this circuit differently, or was changed by hand",
            ),
            StoreError::Text(message) => write!(f, "the circuit in it is wrong: {message}"),
            StoreError::Unsound(what) => write!(f, "the values do not fit: {what}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        StoreError::Io(error)
    }
}
