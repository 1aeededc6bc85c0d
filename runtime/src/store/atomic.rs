//! Writes files whole or not at all.

use super::temporary::TemporaryFile;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{BufWriter, Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

/// Links that lead to each other are followed this often.
const MOST_LINKS: usize = 40;

/// Replaces `path` by what `fill` writes. Readers see the old file or the new one,
/// never a part, also after a crash; if anything fails, the old file is still there
/// and nothing else is left behind. Permissions of an existing file are kept.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let target = followed(path);
    let existing = std::fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|meta| !meta.is_file()) {
        // Devices and pipes cannot be replaced; they are written to.
        let mut file = OpenOptions::new().write(true).open(&target)?;
        return fill(&mut file);
    }
    let temporary = TemporaryFile::new(folder(&target), permissions(existing.as_ref()))?;
    let mut writer = BufWriter::new(temporary.file());
    fill(&mut writer)?;
    writer.into_inner().map_err(|error| error.into_error())?;
    temporary.file().sync_all()?;
    temporary.keep_as(&target)?;
    sync_folder(folder(&target));
    Ok(())
}

/// Looks whether [`write_atomically`] could write a file, by making another in its folder
/// for a moment. What is no file is written to where it is.
pub fn can_be_written(path: &Path) -> Result<()> {
    let target = followed(path);
    let existing = std::fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|meta| !meta.is_file()) {
        Ok(())
    } else {
        TemporaryFile::new(folder(&target), permissions(existing.as_ref())).map(drop)
    }
}

/// The file that is written if `path` is: links are followed, so that the file they point
/// to is replaced, or made, and not the link.
pub fn followed(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if let Ok(existing) = target.canonicalize() {
            return existing;
        }
        match std::fs::read_link(&target) {
            Ok(next) => target = folder(&target).join(next),
            Err(_) => return target,
        }
    }
    target
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
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
