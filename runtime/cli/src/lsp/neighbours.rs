//! Circuit files on disk that may use a file.

use super::uri;
use super::workspace::Workspace;
use lsp_types::Uri;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// Files that are looked at in full.
const FILES_SEARCHED: usize = 500;

/// Folders and files looked at to find them.
const ENTRIES_SEARCHED: usize = 20_000;

/// Files that are not open and name the file at `uri`: those of its own folder
/// and of the editor's folders, with all that is below.
pub fn neighbours(workspace: &Workspace, uri: &Uri) -> Vec<PathBuf> {
    let Some(own) = uri::to_path(uri) else {
        return Vec::new();
    };
    let Some(file_name) = own.file_name().and_then(|name| name.to_str()) else {
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = workspace.documents.folders.clone();
    folders.extend(own.parent().map(PathBuf::from));
    let mut files: Vec<PathBuf> = circuits_below(folders)
        .into_iter()
        .filter(|path| workspace.documents.at_path(path).is_none())
        .filter(|path| names_file(path, file_name))
        .map(|path| uri::identity(&path))
        .collect();
    files.sort();
    files.dedup();
    files
}

fn circuits_below(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut n_seen = 0;
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in entries {
            n_seen += 1;
            if n_seen > ENTRIES_SEARCHED || files.len() >= FILES_SEARCHED {
                return files;
            }
            let path = entry.path();
            if is_searched(&entry) {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "pcirc") {
                files.push(path);
            }
        }
    }
    files
}

/// Whether an entry is a folder that people keep their own files in. Links are
/// not followed, since they may lead in a cycle.
fn is_searched(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
    is_folder && !name.starts_with('.') && name != "target" && name != "node_modules"
}

/// Whether a file's text names another, which is cheaper to ask than to parse it.
fn names_file(path: &Path, file_name: &str) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains(file_name))
}
