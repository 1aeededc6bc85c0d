//! The editor's open documents, which count before what is on disk.

use super::{place, uri};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use pelton_compiler::load::{FileAccessRefusal, FileLoader, Loader, SourceInput, refusal};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
    /// Its text.
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
    /// Adds a document, or replaces it.
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

    /// Forgets a document.
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

    /// One document.
    pub fn get(&self, uri: &Uri) -> Option<&OpenDocument> {
        self.by_uri.get(uri.as_str())
    }

    /// All documents, in order of their URIs.
    pub fn iter(&self) -> impl Iterator<Item = &OpenDocument> {
        self.by_uri.values()
    }

    /// The open document of a file.
    pub fn at_path(&self, path: &Path) -> Option<&OpenDocument> {
        let identity = uri::identity(path);
        self.iter()
            .find(|document| document.identity.as_ref() == Some(&identity))
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
