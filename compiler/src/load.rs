//! Reads a file and everything it `use`s.

mod binary_kind;
mod unpack;
mod within;

pub use binary_kind::BinaryKind;
pub use unpack::{LARGEST_IMPORT, LARGEST_SOURCE, read_with};
pub use within::{FileAccessRefusal, FolderLoader, refusal};

use pelton_grammar::ast::{FileSyntax, Item, ItemKind, UseDecl};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};
use pelton_grammar::parse::{ParseOptions, parse};
use pelton_grammar::source::{Source, SourceId, SourceMap, Span};
use rustc_hash::FxHashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Where texts come from: the file system, or an editor's open documents.
pub trait Loader {
    /// The bytes of a file.
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>>;

    /// What is equal for two spellings of one file, so that it is one module.
    fn identity(&self, path: &Path) -> PathBuf {
        path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
    }

    /// Why the text at `user`, or one that is no file, may not use `path`; such a file is
    /// not read.
    fn refusal(&self, user: Option<&Path>, path: &Path) -> Option<FileAccessRefusal> {
        let _ = (user, path);
        None
    }
}

/// Reads from the file system; files use what is below their own folder, see
/// [`FolderLoader`].
#[derive(Clone, Copy, Debug, Default)]
pub struct FileLoader;

impl Loader for FileLoader {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let file = std::fs::File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(std::io::Error::other("it is a directory"));
        }
        read_with(file, |_| LARGEST_SOURCE)
    }

    fn refusal(&self, user: Option<&Path>, path: &Path) -> Option<FileAccessRefusal> {
        refusal(user, path, &[])
    }
}

/// A file with what it uses, ready to be lowered.
#[derive(Debug, Default)]
pub struct SourceProgram {
    /// All texts.
    pub sources: SourceMap,
    /// The given file first, then the files it uses, each once.
    pub modules: Vec<Module>,
}

impl SourceProgram {
    fn source_of(&self, module: usize) -> &Source {
        self.sources.get(self.modules[module].source)
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = &Item> {
        self.modules.iter().flat_map(|module| &module.file.items)
    }
}

/// One file of a program.
#[derive(Debug)]
pub struct Module {
    /// Its syntax tree.
    pub file: FileSyntax,
    /// Its text.
    pub source: SourceId,
    /// What stands before its names in messages: `lib.`, empty for the given file.
    pub prefix: String,
    /// The modules its `use` statements name, by prefix.
    pub uses: FxHashMap<String, usize>,
}

/// The text a program starts from.
#[derive(Clone, Debug)]
pub struct SourceInput {
    /// How messages call it.
    pub name: String,
    /// Its path, which `use` is relative to; `None` for standard input.
    pub path: Option<PathBuf>,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Reads `input` and all it uses. Files that cannot be read or do not parse are
/// reported; the program holds what could be understood.
pub fn load(
    input: SourceInput,
    loader: &dyn Loader,
    options: &ParseOptions,
    found: &mut SourceDiagnostics,
) -> SourceProgram {
    let mut loading = ProgramLoading {
        program: SourceProgram::default(),
        by_path: FxHashMap::default(),
        loader,
        options,
        found,
    };
    let path = input.path.clone();
    let first = loading.add_module(input, String::new());
    if let Some(path) = path {
        loading.by_path.insert(loader.identity(&path), first);
    }
    // Files are read breadth first; a module's own uses are resolved when its turn comes.
    let mut at = 0;
    while at < loading.program.modules.len() {
        loading.resolve_uses(at);
        at += 1;
    }
    report_use_cycle(&loading.program, loading.found);
    loading.program
}

struct ProgramLoading<'a> {
    program: SourceProgram,
    by_path: FxHashMap<PathBuf, usize>,
    loader: &'a dyn Loader,
    options: &'a ParseOptions,
    found: &'a mut SourceDiagnostics,
}

impl ProgramLoading<'_> {
    fn add_module(&mut self, input: SourceInput, prefix: String) -> usize {
        let n_found = self.found.len();
        let source = add_text(input, &mut self.program.sources, self.found);
        let is_whole = self.found.len() == n_found;
        let text = self.program.sources.get(source);
        let file = if is_whole {
            parse(text, self.options, self.found)
        } else {
            // What follows from a text that breaks off is not worth a message.
            FileSyntax {
                items: Vec::new(),
                broken: vec![text.span()],
                comments: Vec::new(),
                span: text.span(),
            }
        };
        self.program.modules.push(Module {
            file,
            source,
            prefix,
            uses: FxHashMap::default(),
        });
        self.program.modules.len() - 1
    }

    fn resolve_uses(&mut self, module: usize) {
        let uses = use_decls(&self.program.modules[module].file).cloned();
        for decl in uses.collect::<Vec<UseDecl>>() {
            if let Some(target) = self.resolve_use(module, &decl) {
                let known = &mut self.program.modules[module].uses;
                known.insert(decl.name.text, target);
            }
        }
    }

    fn resolve_use(&mut self, module: usize, decl: &UseDecl) -> Option<usize> {
        let source = self.program.source_of(module);
        let path = relative_to(source, &decl.path);
        if let Some(&known) = self.by_path.get(&self.loader.identity(&path)) {
            return Some(known);
        }
        let name = path.display().to_string();
        let read = match self.loader.refusal(source.path(), &path) {
            Some(refusal) => Err((
                format!("`{name}` may not be used: {}", refusal.reason),
                refusal.help,
            )),
            None => self.loader.load(&path).map_err(|error| {
                let message = format!("`{name}` cannot be read: {}", reason(&error));
                (
                    message,
                    "paths are relative to the file that holds the `use`".into(),
                )
            }),
        };
        let bytes = read.map_err(|(message, help)| {
            let diagnostic = SourceDiagnostic::new(Code::Unreadable, decl.path_span, message);
            self.found.push(diagnostic.at("used here").help(help));
        });
        let bytes = bytes.ok()?;
        let prefix = format!("{}{}.", self.program.modules[module].prefix, decl.name.text);
        let input = SourceInput {
            name,
            path: Some(path.clone()),
            bytes,
        };
        let target = self.add_module(input, prefix);
        self.by_path.insert(self.loader.identity(&path), target);
        Some(target)
    }
}

/// Adds a text; bytes that are no UTF-8 are reported, and the text ends before them.
pub fn add_text(
    input: SourceInput,
    sources: &mut SourceMap,
    found: &mut SourceDiagnostics,
) -> SourceId {
    let (text, fault) = match String::from_utf8(input.bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            let fault = (valid, bytes.split_off(valid)[0]);
            let text = String::from_utf8(bytes).expect("cut where it stops being UTF-8");
            (text, Some(fault))
        }
    };
    let message = format!("`{}` is not UTF-8 text", input.name);
    let id = sources.add(input.name, input.path, text);
    if let Some((at, byte)) = fault {
        let diagnostic = SourceDiagnostic::new(Code::NotText, Span::new(id, at, at), message)
            .at(format!("byte {at} is {byte:#04x}, which cannot stand here"))
            .help("save the file as UTF-8; circuits in foreign formats are binary or have their own endings");
        found.push(diagnostic);
    }
    id
}

/// An operating system's error in plain words.
pub fn reason(error: &std::io::Error) -> String {
    let words = match error.kind() {
        ErrorKind::NotFound => "there is no such file",
        ErrorKind::PermissionDenied => "it may not be read",
        ErrorKind::IsADirectory => "it is a directory",
        _ => return error.to_string(),
    };
    words.to_string()
}

fn use_decls(file: &FileSyntax) -> impl Iterator<Item = &UseDecl> {
    file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Use(decl) => Some(decl),
        _ => None,
    })
}

fn relative_to(source: &Source, path: &str) -> PathBuf {
    match source.path().and_then(Path::parent) {
        Some(folder) => folder.join(path),
        None => PathBuf::from(path),
    }
}

/// Reports a cycle of `use` statements, every step of it labelled.
fn report_use_cycle(program: &SourceProgram, found: &mut SourceDiagnostics) {
    let next = |module: usize| {
        let mut targets: Vec<_> = use_decls(&program.modules[module].file)
            .filter_map(|decl| {
                let target = *program.modules[module].uses.get(&decl.name.text)?;
                Some((target, decl.path_span))
            })
            .collect();
        targets.dedup();
        targets
    };
    let Some(cycle) = crate::cycle::find(program.modules.len(), next) else {
        return;
    };
    let name = |module: usize| program.source_of(module).name();
    let (first, span) = cycle[0];
    let message = format!("`{}` uses itself, directly or through others", name(first));
    let mut diagnostic = SourceDiagnostic::new(Code::UseCycle, span, message)
        .at(format!("uses `{}`", name(cycle[1 % cycle.len()].0)));
    for (at, &(_, span)) in cycle.iter().enumerate().skip(1) {
        let target = name(cycle[(at + 1) % cycle.len()].0);
        diagnostic = diagnostic.label(span, format!("which uses `{target}`"));
    }
    found.push(diagnostic.help("move what they share into a third file that both use"));
}
