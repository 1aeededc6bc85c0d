//! The editor's open documents, which count before what is on disk, and files beside them.

use super::{place, uri};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use pelton_compiler::load::{FileAccessRefusal, FileLoader, Loader, SourceInput, refusal};
use std::collections::BTreeMap;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// Files that are looked at in full.
const FILES_SEARCHED: usize = 500;

/// Folders and files looked at to find them.
const ENTRIES_SEARCHED: usize = 20_000;

/// An open document.
#[derive(Debug)]
pub struct OpenDocument {
    /// Its URI as the editor spells it.
    pub uri: Uri,
    /// Its file, if it is one.
    pub path: Option<PathBuf>,
    /// The one spelling of its path by which it is found.
    identity: Option<PathBuf>,
    /// Its version, as the editor counts.
    pub version: i32,
    pub text: String,
}

/// All open documents, by URI.
#[derive(Debug, Default)]
pub struct Documents {
    /// The folders the editor has open, whose files may use each other.
    pub folders: Vec<PathBuf>,
    by_uri: BTreeMap<String, OpenDocument>,
}

impl Documents {
    pub fn open(&mut self, uri: Uri, version: i32, text: String) {
        let path = uri::to_path(&uri);
        let document = OpenDocument {
            identity: path.as_deref().map(uri::identity),
            path,
            version,
            text,
            uri: uri.clone(),
        };
        self.by_uri.insert(uri.as_str().to_string(), document);
    }

    pub fn close(&mut self, uri: &Uri) {
        self.by_uri.remove(uri.as_str());
    }

    /// Applies changes in order; those without a range replace the whole text.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        let Some(document) = self.by_uri.get_mut(uri.as_str()) else {
            return;
        };
        document.version = version;
        for change in changes {
            document.apply(change);
        }
    }

    pub fn get(&self, uri: &Uri) -> Option<&OpenDocument> {
        self.by_uri.get(uri.as_str())
    }

    pub fn iter(&self) -> impl Iterator<Item = &OpenDocument> {
        self.by_uri.values()
    }

    /// The open document of a file.
    pub fn at_path(&self, path: &Path) -> Option<&OpenDocument> {
        let identity = uri::identity(path);
        self.iter()
            .find(|document| document.identity.as_ref() == Some(&identity))
    }

    /// Files that are not open and name the file at `uri`: those of its own folder
    /// and of the editor's folders, with all that is below.
    pub fn neighbours(&self, uri: &Uri) -> Vec<PathBuf> {
        let Some(own) = uri::to_path(uri) else {
            return Vec::new();
        };
        let Some(file_name) = own.file_name().and_then(|name| name.to_str()) else {
            return Vec::new();
        };
        let mut folders: Vec<PathBuf> = self.folders.clone();
        folders.extend(own.parent().map(PathBuf::from));
        // Reading a text for the name is much cheaper than parsing it, which callers do.
        let mut files: Vec<PathBuf> = circuits_below(folders)
            .into_iter()
            .filter(|path| self.at_path(path).is_none())
            .filter(|path| names_file(path, file_name))
            .map(|path| uri::identity(&path))
            .collect();
        files.sort();
        files.dedup();
        files
    }

    /// The URI of a file: the editor's spelling if it is open.
    pub fn uri_of(&self, path: &Path) -> Option<Uri> {
        match self.at_path(path) {
            Some(document) => Some(document.uri.clone()),
            None => uri::from_path(&uri::identity(path)),
        }
    }
}

impl OpenDocument {
    /// The text as the compiler takes it.
    pub fn input(&self) -> SourceInput {
        let name = match &self.path {
            Some(path) => path.file_name().unwrap_or(path.as_os_str()),
            None => self.uri.as_str().as_ref(),
        };
        SourceInput {
            name: name.to_string_lossy().into_owned(),
            path: self.path.clone(),
            bytes: self.text.clone().into_bytes(),
        }
    }

    fn apply(&mut self, change: TextDocumentContentChangeEvent) {
        let Some(range) = change.range else {
            self.text = change.text;
            return;
        };
        let start = place::offset(&self.text, range.start);
        let end = place::offset(&self.text, range.end).max(start);
        self.text.replace_range(start..end, &change.text);
    }
}

impl Loader for Documents {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        match self.at_path(path) {
            Some(document) => Ok(document.text.clone().into_bytes()),
            None => FileLoader.load(path),
        }
    }

    fn refusal(&self, user: Option<&Path>, path: &Path) -> Option<FileAccessRefusal> {
        refusal(user, path, &self.folders)
    }
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
