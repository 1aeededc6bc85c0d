//! What can be wrong with a model file.

use std::io::{Error as IoError, ErrorKind};

/// Why a model file could not be read or written. Shown as a sentence about the
/// file that goes on after its name: "it is cut short: …".
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("{}", plainly(.0))]
    Io(#[from] IoError),
    /// It is something else, described here.
    #[error("it is no model file: {0}")]
    NotModel(String),
    /// This many bytes are missing at its end.
    #[error("it is cut short: {}", missing(*.0))]
    CutShort(u64),
    /// It has this version of the format, which is none that can be read.
    #[error(
        "it has version {0} of the format, and this program reads version {known}",
        known = super::document::VERSION
    )]
    Version(String),
    /// A part is missing or not as it has to be, described here.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The circuit that the text means now is not the one that was saved.
    #[error(
        "its parameters belong to another circuit than its text describes: it was made by a version \
         that reads this circuit differently, or was changed by hand"
    )]
    Differs,
    /// The text in it has errors; this is the first.
    #[error("the circuit in it is wrong: {0}")]
    Text(String),
    /// The values to be saved are no values of their parameters, as described here.
    #[error("the values do not fit: {0}")]
    Unsound(String),
}

fn plainly(error: &IoError) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_string(),
        ErrorKind::PermissionDenied => "access is denied".to_string(),
        _ => error.to_string(),
    }
}

fn missing(n_bytes: u64) -> String {
    match n_bytes {
        1 => "the last byte is missing".to_string(),
        n => format!("{n} bytes are missing"),
    }
}
