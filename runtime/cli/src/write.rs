//! Writes files whole or not at all.

use crate::Failure;
use std::io::{Error, ErrorKind, Write};
use std::path::Path;

/// Replaces `path` by what `fill` writes. Readers see the old file or the new
/// one, never a part; permissions of an existing file are kept.
pub fn atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    write(path, fill).map_err(|error| {
        let (path, reason) = (path.display(), reason(&error));
        Failure::Usage(format!("`{path}` cannot be written: {reason}"))
    })
}

/// The error in plain words; the system's would name the temporary file.
fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such folder".to_string(),
        ErrorKind::PermissionDenied => "it may not be changed".to_string(),
        ErrorKind::IsADirectory => "it is a directory".to_string(),
        _ => error.to_string(),
    }
}

fn write(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    // A link is followed, so that the file it points to is replaced and not the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let existing = std::fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|meta| !meta.is_file()) {
        // Devices and pipes cannot be replaced; they are written to.
        let mut file = std::fs::OpenOptions::new().write(true).open(&target)?;
        return fill(&mut file);
    }
    let folder = match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let file = tempfile::Builder::new()
        .prefix(".pelton-")
        .permissions(default_permissions(existing.as_ref()))
        .tempfile_in(folder)?;
    let mut writer = std::io::BufWriter::new(file);
    fill(&mut writer)?;
    let file = writer.into_inner().map_err(|error| error.into_error())?;
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// The permissions of the file to be replaced, or those a new file would get.
#[cfg(unix)]
fn default_permissions(existing: Option<&std::fs::Metadata>) -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    existing.map_or_else(
        || std::fs::Permissions::from_mode(0o666),
        |meta| meta.permissions(),
    )
}

#[cfg(not(unix))]
fn default_permissions(existing: Option<&std::fs::Metadata>) -> std::fs::Permissions {
    existing
        .map(|meta| meta.permissions())
        .or_else(|| Some(std::env::current_exe().ok()?.metadata().ok()?.permissions()))
        .expect("the running program is a file")
}
