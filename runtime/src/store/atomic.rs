//! Writes files whole or not at all.

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{BufWriter, Error, ErrorKind, Result, Write};
use std::path::Path;

/// Replaces `path` by what `fill` writes. Readers see the old file or the new one,
/// never a part, also after a crash; if anything fails, the old file is still there
/// and nothing else is left behind. Permissions of an existing file are kept.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    // A link is followed, so that the file it points to is replaced and not the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let existing = std::fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|meta| !meta.is_file()) {
        // Devices and pipes cannot be replaced; they are written to.
        let mut file = OpenOptions::new().write(true).open(&target)?;
        return fill(&mut file);
    }
    let folder = match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let file = tempfile::Builder::new()
        .prefix(".pelton-")
        .permissions(permissions(existing.as_ref()))
        .tempfile_in(folder)?;
    let mut writer = BufWriter::new(file);
    fill(&mut writer)?;
    let file = writer.into_inner().map_err(|error| error.into_error())?;
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    sync_folder(folder);
    Ok(())
}

/// Makes the new name last. The file itself is safe by now, and not every file
/// system can do this, so that it may fail.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// The permissions of the file to be replaced, or those a new file would get.
#[cfg(unix)]
fn permissions(existing: Option<&Metadata>) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    existing.map_or_else(|| Permissions::from_mode(0o666), Metadata::permissions)
}

#[cfg(not(unix))]
fn permissions(existing: Option<&Metadata>) -> Permissions {
    existing
        .map(Metadata::permissions)
        .or_else(|| Some(std::env::current_exe().ok()?.metadata().ok()?.permissions()))
        .expect("the running program is a file")
}

/// Why a file could not be written, in plain words; the system's would name a temporary one.
pub fn write_reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such folder".to_string(),
        ErrorKind::PermissionDenied => "it may not be changed".to_string(),
        ErrorKind::IsADirectory => "it is a directory".to_string(),
        ErrorKind::ReadOnlyFilesystem => "nothing may be written there".to_string(),
        ErrorKind::StorageFull => "the disk is full".to_string(),
        _ => error.to_string(),
    }
}
