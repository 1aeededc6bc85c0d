//! Files that are written before they replace others, and what becomes of them when
//! their writer ends too soon.
//!
//! A temporary file is called `.pelton-PID-…` and locked by its writer. One that can be
//! locked by somebody else has lost its writer, and whoever writes to that folder next
//! sweeps it away.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, Permissions};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

const PREFIX: &str = ".pelton-";

/// How often a file is made anew that was swept before it could be locked.
const MOST_TRIES: usize = 16;

/// The temporary files of this process.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The folders that this process has swept.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file that is gone with this value, unless it is [kept](TemporaryFile::keep_as).
pub(super) struct TemporaryFile {
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl TemporaryFile {
    /// Makes a file in a folder, after what others left there was swept away.
    pub(super) fn new(folder: &Path, permissions: Permissions) -> Result<Self> {
        sweep_once(folder);
        let prefix = format!("{PREFIX}{}-", std::process::id());
        let mut live = locked(&LIVE);
        for _ in 0..MOST_TRIES {
            let mut builder = tempfile::Builder::new();
            let builder = builder.prefix(&prefix).permissions(permissions.clone());
            let file = builder.tempfile_in(folder)?;
            // Not every file system has locks; without them nothing is swept there.
            let is_locked = file.as_file().lock().is_ok();
            if is_locked && !file.path().exists() {
                continue;
            }
            let path = file.path().to_path_buf();
            live.insert(path.clone());
            return Ok(TemporaryFile {
                file: Some(file),
                path,
            });
        }
        Err(std::io::Error::other("temporary files vanish there"))
    }

    pub(super) fn file(&self) -> &File {
        let file = self.file.as_ref().expect("it is there until it is kept");
        file.as_file()
    }

    /// Puts the file in the place of another. While a signal ends the process, this waits.
    pub(super) fn keep_as(mut self, target: &Path) -> Result<()> {
        let mut live = locked(&LIVE);
        let file = self.file.take().expect("it is kept once");
        let kept = file.persist(target).map_err(|error| error.error);
        live.remove(&self.path);
        kept.map(drop)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let mut live = locked(&LIVE);
            drop(file);
            live.remove(&self.path);
        }
    }
}

/// Removes the temporary files of this process, which is about to end: nothing can be
/// written atomically from now on.
pub fn remove_temporaries() {
    let live = locked(&LIVE);
    for path in live.iter() {
        let _ = std::fs::remove_file(path);
    }
    // Other threads wait for the end here.
    std::mem::forget(live);
}

/// Removes temporary files whose writers have ended, the first time that this process
/// writes to a folder. That it may fail changes nothing.
fn sweep_once(folder: &Path) {
    let Ok(folder) = folder.canonicalize() else {
        return;
    };
    if !locked(&SWEPT).insert(folder.clone()) {
        return;
    }
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_temporary(&entry.file_name().to_string_lossy())) {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_abandoned(&entry.path()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether a file is called as ours are: a number follows the prefix.
fn is_temporary(name: &str) -> bool {
    let rest = name.strip_prefix(PREFIX);
    let process = rest.and_then(|rest| rest.split_once('-'));
    process.is_some_and(|(process, _)| process.parse::<u32>().is_ok())
}

/// Whether nobody holds the lock. A writer that has made its file and not locked it yet
/// finds it gone and makes another.
fn is_abandoned(path: &Path) -> bool {
    let file = OpenOptions::new().read(true).write(true).open(path);
    file.is_ok_and(|file| file.try_lock().is_ok())
}

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_a_writer_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let names = [
            ".pelton-1-abc",
            ".pelton-4294967295-a-b",
            ".pelton-x-abc",
            "a",
        ];
        for name in names {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let held = File::open(folder.path().join(names[0])).unwrap();
        held.lock().unwrap();
        sweep_once(folder.path());
        let is_left = names.map(|name| folder.path().join(name).exists());
        assert_eq!(is_left, [true, false, true, true]);
    }
}
