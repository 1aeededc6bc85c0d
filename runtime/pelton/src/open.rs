//! Reads circuits of every kind: source, model files, and circuits in foreign formats, as the
//! compiler and the runtime see them. [`Circuit::load`](crate::Circuit::load) is built on this.
//!
//! Which of them it is is seen by the content. What the text means, or why it means
//! nothing, is in the [`Analysis`]; an [`OpenError`] says why there is none.

use pelton_compiler::load::{
    BinaryKind, FileAccessRefusal, FolderLoader, LARGEST_IMPORT, LARGEST_SOURCE, Loader,
    SourceInput, SourceProgram, read_with, reason,
};
use pelton_compiler::{Analysis, AnalysisOptions, analyze};
use pelton_formats::import::sniff;
use pelton_runtime::store::{
    BundleLoader, ModelDocument, SourceBundle, StoreError, StoredModel, looks_like_model,
};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Why a circuit was not read. Shown as a sentence that names the file.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error("`{0}` cannot be read: {why}", why = reason(.1))]
    Unreadable(String, #[source] std::io::Error),
    /// It is a model file that cannot be read.
    #[error("`{0}` cannot be read: {1}")]
    BadModel(String, #[source] StoreError),
    /// The file is something else, described here.
    #[error("`{0}` is {1}, which holds no circuit that can be read")]
    NoCircuit(String, &'static str),
    /// Constants were to be changed that belong to the parameters of a model file.
    #[error("the constants of `{0}` belong to its parameters and cannot be changed")]
    Constants(String),
}

/// Reads and analyzes the circuit in a file; the document is what is needed to save it again.
pub fn from_file(
    path: &Path,
    options: &AnalysisOptions,
) -> Result<(Analysis, ModelDocument), OpenError> {
    if is_model_file(path) {
        let stored = StoredModel::open(path).map_err(|error| bad_model(path, error))?;
        return from_stored(stored, path, options);
    }
    from_input(read(path)?, options)
}

/// Analyzes the circuit in some bytes. Files are used from the file system: those below
/// the folder of the one that uses them, and those that `options` allow.
pub fn from_input(
    input: SourceInput,
    options: &AnalysisOptions,
) -> Result<(Analysis, ModelDocument), OpenError> {
    let loader = FolderLoader {
        allowed: &options.allow_use,
    };
    from_bytes(input, &loader, options)
}

/// Analyzes the circuit in bytes from memory, which reaches no file: it may use the texts
/// that are handed over, by their names.
pub fn from_memory(
    input: SourceInput,
    files: &[(String, String)],
    options: &AnalysisOptions,
) -> Result<(Analysis, ModelDocument), OpenError> {
    let bundle = SourceBundle::of_files(files);
    let loader = HandedLoader(BundleLoader {
        bundle: &bundle,
        folder: PathBuf::new(),
    });
    from_bytes(input, &loader, options)
}

/// Reads what the caller handed over, and nothing else.
struct HandedLoader<'a>(BundleLoader<'a>);

impl Loader for HandedLoader<'_> {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.0.load(path)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        self.0.identity(path)
    }

    fn refusal(&self, _: Option<&Path>, path: &Path) -> Option<FileAccessRefusal> {
        let is_missing = self.0.load(path).is_err();
        is_missing.then(|| FileAccessRefusal {
            reason: "a text from memory reaches no files".to_string(),
            help: "hand over its text by this name (`files`), or load the circuit from a file"
                .into(),
        })
    }
}

fn from_bytes(
    input: SourceInput,
    loader: &dyn Loader,
    options: &AnalysisOptions,
) -> Result<(Analysis, ModelDocument), OpenError> {
    // What cannot be read twice, such as a pipe, is looked at when it has been read.
    if looks_like_model(&input.bytes) {
        let name = Path::new(&input.name);
        let stored =
            StoredModel::from_bytes(&input.bytes).map_err(|error| bad_model(name, error))?;
        return from_stored(stored, name, options);
    }
    // The import says what to do about pickles; archives in memory are told as what they are.
    if let Some(kind) = BinaryKind::of(&input.bytes)
        && !matches!(kind, BinaryKind::Pickle | BinaryKind::Gzip)
    {
        return Err(OpenError::NoCircuit(input.name, kind.title()));
    }
    // Everything else is source or a foreign format, which the analysis tells apart.
    let analysis = analyze(input, loader, options);
    let document = ModelDocument::of(&analysis.program, options);
    Ok((analysis, document))
}

/// The bytes of a file.
pub fn read(path: &Path) -> Result<SourceInput, OpenError> {
    let file = std::fs::File::open(path).and_then(|file| {
        if file.metadata()?.is_dir() {
            Err(std::io::ErrorKind::IsADirectory.into())
        } else {
            read_with(file, largest)
        }
    });
    let name = path.display().to_string();
    match file {
        Ok(bytes) => Ok(SourceInput {
            name,
            path: Some(path.to_path_buf()),
            bytes,
        }),
        Err(error) => Err(OpenError::Unreadable(name, error)),
    }
}

/// How large a circuit may be that begins like this.
pub fn largest(start: &[u8]) -> u64 {
    if looks_like_model(start) || sniff("", start).is_some() {
        LARGEST_IMPORT
    } else {
        LARGEST_SOURCE
    }
}

/// Whether this is a model file, whole or not: by its content, or by its name.
pub fn is_model_file(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else {
        return false;
    };
    if !file.metadata().is_ok_and(|meta| meta.is_file()) {
        return false;
    }
    let mut start = Vec::new();
    let is_readable = file.take(9).read_to_end(&mut start).is_ok();
    let is_named = path.extension().is_some_and(|end| end == "pelton");
    is_readable && (looks_like_model(&start) || is_named)
}

fn from_stored(
    stored: StoredModel,
    path: &Path,
    options: &AnalysisOptions,
) -> Result<(Analysis, ModelDocument), OpenError> {
    if !options.lower.defines.is_empty() {
        return Err(OpenError::Constants(path.display().to_string()));
    }
    let analysis = stored.analyze(path, options);
    let analysis = analysis.map_err(|error| bad_model(path, error))?;
    Ok((analysis, stored.document))
}

fn bad_model(path: &Path, error: StoreError) -> OpenError {
    OpenError::BadModel(path.display().to_string(), error)
}

/// Whether a file lies, or would lie, where the files are relative to which a program
/// uses others.
pub fn is_beside(program: &SourceProgram, target: &Path) -> bool {
    let main = program.sources.get(program.modules[0].source).path();
    let folder = |path: &Path| -> Option<PathBuf> {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        folder.unwrap_or(Path::new(".")).canonicalize().ok()
    };
    let own = main.map_or_else(|| Path::new(".").canonicalize().ok(), folder);
    own.is_some() && own == folder(target)
}
