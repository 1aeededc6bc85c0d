//! Writes files whole or not at all, and says why where that fails.

use crate::{CommandFailure, CommandResult, interrupt};
use pelton_runtime::store::{self, StoreError, followed, write_atomically, write_reason};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub(crate) use pelton_runtime::store::folder;

/// The files that this command has read, with what they are.
static READ: Mutex<Vec<(PathBuf, &'static str)>> = Mutex::new(Vec::new());

/// What messages call files of data.
pub(crate) const DATA: &str = "a file of data that is read";

/// Remembers that a file is read, so that it is not replaced: whoever asks again would
/// find it gone.
pub(crate) fn note_read(path: &Path, what: &'static str) {
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    read.push((path.to_path_buf(), what));
}

/// Refuses to replace a file that this command has read.
pub(crate) fn check_unread(path: &Path) -> CommandResult<()> {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let target = followed(path);
    match read.iter().find(|(input, _)| is_same(input, &target)) {
        Some((_, what)) => Err(read_too(path, what)),
        None => Ok(()),
    }
}

/// A file that is read and would be replaced.
pub(crate) fn read_too(path: &Path, what: &str) -> CommandFailure {
    let path = path.display();
    CommandFailure::Usage(format!(
        "`{path}` is {what}; give what is written another name"
    ))
}

/// Whether a file that is read is the one that would be written; pipes and devices are
/// none.
pub(crate) fn is_same(input: &Path, target: &Path) -> bool {
    input.is_file() && (followed(input) == resolved(target) || is_linked(input, target))
}

/// One name for each file, however it is called; a file that does not exist yet is
/// known by its folder.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let target = followed(path);
    // A file that is not there yet has no canonical path, its folder has.
    let in_folder = || {
        let folder = folder(&target).canonicalize().ok()?;
        Some(folder.join(target.file_name()?))
    };
    in_folder().unwrap_or_else(|| target.clone())
}

/// Whether two paths lead to one file by other ways than links, as hard links and names
/// in other letters do.
#[cfg(unix)]
fn is_linked(input: &Path, target: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| path.metadata().ok().map(|meta| (meta.dev(), meta.ino()));
    identity(input).is_some_and(|input| identity(target) == Some(input))
}

#[cfg(not(unix))]
fn is_linked(_: &Path, _: &Path) -> bool {
    false
}

/// Replaces `path` by what `fill` writes, see [`write_atomically`]. What this command has
/// read is not replaced.
pub fn atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> CommandResult<()> {
    check_unread(path)?;
    interrupt::clean_up()?;
    write_atomically(path, fill).map_err(|error| match error.downcast::<CommandFailure>() {
        Ok(failure) => failure,
        Err(error) => failure(path, &write_reason(&error)),
    })
}

pub(crate) fn make_folder(path: &Path) -> CommandResult<()> {
    std::fs::create_dir_all(path).map_err(|error| {
        let folder = path.display();
        CommandFailure::Usage(format!("the folder `{folder}` cannot be made: {error}"))
    })
}

/// Looks whether [`atomically`] could write a file.
pub fn can_be_written(path: &Path) -> CommandResult<()> {
    interrupt::clean_up()?;
    store::can_be_written(path).map_err(|error| failure(path, &write_reason(&error)))
}

/// A model file that could not be written.
pub(crate) fn not_saved(path: &Path, error: &StoreError) -> CommandFailure {
    match error {
        StoreError::Io(error) => failure(path, &write_reason(error)),
        other => failure(path, &other.to_string()),
    }
}

fn failure(path: &Path, reason: &str) -> CommandFailure {
    CommandFailure::Usage(format!("`{}` cannot be written: {reason}", path.display()))
}
