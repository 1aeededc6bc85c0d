//! Writes files whole or not at all, and says why where that fails.

use crate::Failure;
use pelton_runtime::store::{StoreError, write_atomically};
use std::io::{Error, ErrorKind, Write};
use std::path::Path;

/// Replaces `path` by what `fill` writes, see [`write_atomically`].
pub fn atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    write_atomically(path, fill).map_err(|error| failure(path, &reason(&error)))
}

/// A model file that could not be written.
pub fn not_saved(path: &Path, error: &StoreError) -> Failure {
    match error {
        StoreError::Io(error) => failure(path, &reason(error)),
        other => failure(path, &other.to_string()),
    }
}

fn failure(path: &Path, reason: &str) -> Failure {
    Failure::Usage(format!("`{}` cannot be written: {reason}", path.display()))
}

/// The error in plain words; the system's would name the temporary file.
fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such folder".to_string(),
        ErrorKind::PermissionDenied => "it may not be changed".to_string(),
        ErrorKind::IsADirectory => "it is a directory".to_string(),
        ErrorKind::StorageFull => "the disk is full".to_string(),
        _ => error.to_string(),
    }
}
