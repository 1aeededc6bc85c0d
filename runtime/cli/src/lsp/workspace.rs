//! What the server knows: open documents, their syntax trees and analyses.

use super::documents::{Documents, OpenDocument};
use super::index::ProgramIndex;
use super::{place, uri};
use lsp_types::{Location, Uri};
use pelton_compiler::check::DeterminismLimits;
use pelton_compiler::circuit::Property;
use pelton_compiler::load::{SourceInput, SourceProgram, load};
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::{Analysis, AnalysisOptions};
use pelton_formats::{FOREIGN_FORMATS, analyze};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::parse::ParseOptions;
use pelton_grammar::source::{SourceId, SourceMap, Span};
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;

/// The URI of each source of a program.
#[derive(Debug)]
pub struct Uris(Vec<Option<Uri>>);

/// The syntax trees of a document and what it uses.
#[derive(Debug)]
pub struct DocumentSyntax {
    pub program: SourceProgram,
    pub index: ProgramIndex,
    pub uris: Uris,
}

/// A document's circuit and what is said about it.
#[derive(Debug)]
pub struct CheckedDocument {
    pub analysis: Analysis,
    pub uris: Uris,
}

#[derive(Debug, Default)]
pub struct Workspace {
    pub documents: Documents,
    readings: HashMap<String, Rc<DocumentSyntax>>,
    /// Nothing where the analysis failed by our own fault.
    analyses: HashMap<String, Option<Rc<CheckedDocument>>>,
    /// Documents whose messages are out of date.
    stale: BTreeSet<String>,
}

impl Workspace {
    /// Forgets what was computed from a file, and from all that use it.
    pub fn changed(&mut self, uri: &Uri) {
        let identity = uri::to_path(uri).map(|path| uri::identity(&path));
        // A program depends on a file if the file is among its sources, however it is spelled.
        let uses_it = |program: &SourceProgram| {
            let mut paths = program.sources.iter().filter_map(|source| source.path());
            identity.is_some() && paths.any(|path| Some(uri::identity(path)) == identity)
        };
        self.readings
            .retain(|key, reading| key != uri.as_str() && !uses_it(&reading.program));
        self.analyses.retain(|key, checked| {
            let is_fresh = key != uri.as_str()
                && checked
                    .as_ref()
                    .is_some_and(|checked| !uses_it(&checked.analysis.program));
            if !is_fresh {
                self.stale.insert(key.clone());
            }
            is_fresh
        });
        self.stale.insert(uri.as_str().to_string());
    }

    /// Forgets everything computed: files appeared or vanished.
    pub fn all_changed(&mut self) {
        self.readings.clear();
        self.analyses.clear();
        let open = self.documents.iter();
        self.stale = open.map(|d| d.uri.as_str().to_string()).collect();
    }

    /// A document whose messages are out of date, which counts as taken care of.
    pub fn take_stale(&mut self) -> Option<Uri> {
        while let Some(key) = self.stale.pop_first() {
            let document = self.documents.iter().find(|d| d.uri.as_str() == key);
            if let Some(document) = document {
                return Some(document.uri.clone());
            }
        }
        None
    }

    /// The syntax trees of an open document.
    pub fn reading(&mut self, uri: &Uri) -> Option<Rc<DocumentSyntax>> {
        let document = self.documents.get(uri)?;
        if let Some(known) = self.readings.get(uri.as_str()) {
            return Some(known.clone());
        }
        let reading = Rc::new(read(document.input(), Some(document), &self.documents));
        self.readings
            .insert(uri.as_str().to_string(), reading.clone());
        Some(reading)
    }

    /// The syntax trees of a file that need not be open.
    pub fn reading_of_file(&self, path: &Path) -> Option<DocumentSyntax> {
        use pelton_compiler::load::Loader;
        let input = SourceInput {
            name: path.display().to_string(),
            path: Some(path.to_path_buf()),
            bytes: self.documents.load(path).ok()?,
        };
        Some(read(input, self.documents.at_path(path), &self.documents))
    }

    /// The analysis of an open document. `None` if there is no such document
    /// or the compiler broke down on it.
    pub fn checked(&mut self, uri: &Uri) -> Option<Rc<CheckedDocument>> {
        if let Some(known) = self.analyses.get(uri.as_str()) {
            return known.clone();
        }
        let document = self.documents.get(uri)?;
        let run = || analyze(document.input(), &self.documents, &options());
        // A fault of the compiler must not end the session with the editor.
        let analysis = catch_unwind(AssertUnwindSafe(run)).ok();
        let checked = analysis.map(|analysis| {
            let uris = Uris::of(&analysis.program, Some(document), &self.documents);
            Rc::new(CheckedDocument { analysis, uris })
        });
        self.analyses
            .insert(uri.as_str().to_string(), checked.clone());
        checked
    }

    /// The analyses that are up to date, of all open documents.
    pub fn all_checked(&self) -> impl Iterator<Item = &Rc<CheckedDocument>> {
        self.analyses.values().flatten()
    }
}

impl Uris {
    fn of(program: &SourceProgram, first: Option<&OpenDocument>, documents: &Documents) -> Self {
        let uris = program.sources.iter().enumerate().map(|(at, source)| {
            let own = first.filter(|_| at == 0);
            match own {
                Some(document) => Some(document.uri.clone()),
                None => documents.uri_of(source.path()?),
            }
        });
        Uris(uris.collect())
    }

    pub fn get(&self, source: SourceId) -> Option<&Uri> {
        self.0.get(source.0 as usize)?.as_ref()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Uri> {
        self.0.iter().flatten()
    }

    pub fn source(&self, uri: &Uri) -> Option<SourceId> {
        let at = self.0.iter().position(|own| own.as_ref() == Some(uri))?;
        Some(SourceId(at as u32))
    }

    /// A span as the protocol writes it.
    pub fn location(&self, sources: &SourceMap, span: Span) -> Option<Location> {
        let uri = self.get(span.source)?.clone();
        Some(Location::new(
            uri,
            place::range(sources.get(span.source), span),
        ))
    }
}

fn read(
    input: SourceInput,
    document: Option<&OpenDocument>,
    documents: &Documents,
) -> DocumentSyntax {
    // What is wrong with the text is the analysis's to say.
    let mut found = SourceDiagnostics::new();
    let program = load(input, documents, &ParseOptions::default(), &mut found);
    DocumentSyntax {
        index: ProgramIndex::of(&program),
        uris: Uris::of(&program, document, documents),
        program,
    }
}

/// Limits well below the command line's, so that messages keep up with typing.
fn options() -> AnalysisOptions {
    AnalysisOptions {
        lower: LowerOptions {
            max_size: 2_000_000,
            ..LowerOptions::default()
        },
        decide: Property::ALL.to_vec(),
        limits: limits(),
        foreign: Some(FOREIGN_FORMATS),
        ..AnalysisOptions::default()
    }
}

/// How long to search for an answer on determinism.
pub fn limits() -> DeterminismLimits {
    DeterminismLimits::default().scaled(0.02)
}
