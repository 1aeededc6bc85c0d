//! Writes files whole or not at all, and says why where that fails.

use crate::Failure;
use pelton_runtime::store::{StoreError, write_atomically, write_reason};
use std::io::Write;
use std::path::Path;

/// Replaces `path` by what `fill` writes, see [`write_atomically`].
pub fn atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    write_atomically(path, fill).map_err(|error| failure(path, &write_reason(&error)))
}

/// Looks whether [`atomically`] could write a file, by making another in its folder
/// for a moment. What is no file is written to where it is.
pub fn can_be_written(path: &Path) -> Result<(), Failure> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if target.exists() && !target.is_file() {
        return Ok(());
    }
    let made = tempfile::Builder::new()
        .prefix(".pelton-")
        .tempfile_in(folder(&target));
    match made {
        Ok(_) => Ok(()),
        Err(error) => Err(failure(path, &write_reason(&error))),
    }
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A model file that could not be written.
pub fn not_saved(path: &Path, error: &StoreError) -> Failure {
    match error {
        StoreError::Io(error) => failure(path, &write_reason(error)),
        other => failure(path, &other.to_string()),
    }
}

fn failure(path: &Path, reason: &str) -> Failure {
    Failure::Usage(format!("`{}` cannot be written: {reason}", path.display()))
}
