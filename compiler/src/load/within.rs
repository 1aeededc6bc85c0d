//! Which files a file may use: those below its own folder, and those that were allowed.

use super::{FileLoader, Loader};
use pelton_grammar::remedy::{RemedyOption, RemedyText};
use std::path::{Component, Path, PathBuf};

/// Reads from the file system like [`FileLoader`], and lets files use those of further
/// folders too.
#[derive(Clone, Copy, Debug, Default)]
pub struct FolderLoader<'a> {
    /// Folders whose files every file may use.
    pub allowed: &'a [PathBuf],
}

impl Loader for FolderLoader<'_> {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        FileLoader.load(path)
    }

    fn refusal(&self, user: Option<&Path>, path: &Path) -> Option<FileAccessRefusal> {
        refusal(user, path, self.allowed)
    }
}

/// Why a file may not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct FileAccessRefusal {
    /// What is wrong, behind the name of the file.
    pub reason: String,
    /// What can be done about it.
    pub help: RemedyText,
}

/// Why the text at `user` may not use `path`. A text that is no file is taken to lie in
/// the working directory.
///
/// Whether the file exists is not told: links are followed where they lead to something,
/// and other paths are judged by their spelling.
pub fn refusal(user: Option<&Path>, path: &Path, allowed: &[PathBuf]) -> Option<FileAccessRefusal> {
    // Its own folder, and those that were allowed to all.
    let own = folder(user.unwrap_or(Path::new("")));
    let mut folders = std::iter::once(own).chain(allowed.iter().map(PathBuf::as_path));
    if folders.any(|folder| is_below(path, folder)) {
        is_special(path).then(|| FileAccessRefusal {
            reason: "it is no file but a pipe, a socket or a device".to_string(),
            help: "write its text to a file first".into(),
        })
    } else {
        Some(FileAccessRefusal {
            reason: "it is not below the folder of the file that uses it".to_string(),
            help: RemedyOption::AllowFolder.into(),
        })
    }
}

/// Whether something else than a file or folder is there. A pipe that nobody writes to
/// would be waited for without end.
fn is_special(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn is_below(path: &Path, folder: &Path) -> bool {
    let there = path.canonicalize().ok().zip(folder.canonicalize().ok());
    // What is not there is judged by its spelling.
    let places = there.or_else(|| spelled(path).zip(spelled(folder)));
    places.is_some_and(|(path, folder)| path.starts_with(folder))
}

/// An absolute path without detours, whatever is there.
fn spelled(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in std::path::absolute(path).ok()?.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(user: &Path, path: &Path, allowed: &[PathBuf]) -> bool {
        refusal(Some(user), path, allowed).is_some()
    }

    #[test]
    fn files_stay_below_the_folder_of_the_one_that_uses_them() {
        let folder = std::env::temp_dir().join(format!("pelton-within-{}", std::process::id()));
        let (own, other) = (folder.join("own"), folder.join("other"));
        for folder in [&own.join("lib"), &other] {
            std::fs::create_dir_all(folder).unwrap();
        }
        for file in [own.join("lib/a"), other.join("b"), folder.join("own2")] {
            std::fs::write(file, "").unwrap();
        }
        let main = own.join("main");
        for (path, refused) in [
            ("lib/a", false),
            ("lib/none", false),
            ("lib/../main", false),
            ("../other/b", true),
            ("../other/none", true),
            ("../own2", true),
            ("lib/../../none", true),
        ] {
            assert_eq!(is_refused(&main, &own.join(path), &[]), refused, "{path}");
        }
        assert!(is_refused(&main, Path::new("/etc/hostname"), &[]));
        assert!(is_refused(&own.join("lib/a"), &own.join("main"), &[]));
        let allowed = [folder.join("own/../other")];
        assert!(!is_refused(&main, &own.join("../other/b"), &allowed));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&other, own.join("link")).unwrap();
            assert!(is_refused(&main, &own.join("link/b"), &[]));
            assert!(!is_refused(&main, &own.join("link/b"), &allowed));
            // As a named pipe is, which would be waited for.
            let _socket = std::os::unix::net::UnixListener::bind(own.join("lib/socket")).unwrap();
            let refusal = refusal(Some(&main), &own.join("lib/socket"), &[]).unwrap();
            assert!(refusal.reason.contains("pipe"), "{}", refusal.reason);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
