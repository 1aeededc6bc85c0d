//! The one error type of the library.

use crate::Diagnostic;
use crate::open::OpenError;
use crate::words::rust_words;
use pelton_compiler::transform::TransformError;
use pelton_grammar::diagnostic::{Severity, SourceDiagnostics};
use pelton_grammar::remedy::{RemedyText, RemedyWords, WordedError};
use pelton_grammar::source::SourceMap;
use pelton_runtime::CompileError;
use pelton_runtime::data::{BatchError, CellPlace, DataError, DataErrorKind};
use pelton_runtime::learn::LearnError;
use pelton_runtime::query::{InformationError, NotUnderstood, QueryFailure};
use pelton_runtime::structure::StructureError;
use std::sync::Arc;

/// What functions of this library return.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of thing went wrong. The numbers are the exit codes of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The circuit is wrong, or does not allow what is asked.
    Circuit = 1,
    /// An argument is wrong, or a file cannot be read or written.
    Usage = 2,
    /// Data do not fit the circuit, or what is given has probability zero.
    Data = 3,
    /// A result is not a number.
    Numeric = 4,
}

/// Why there is no result. What caused it is its [source](std::error::Error::source).
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", inner.message)]
#[must_use]
pub struct Error {
    inner: Box<ErrorContent>,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

#[derive(Clone, Debug, PartialEq)]
struct ErrorContent {
    kind: ErrorKind,
    /// In the words of Rust.
    message: String,
    /// The same with its options as data.
    text: RemedyText,
    diagnostics: Vec<Diagnostic>,
    cell: Option<CellPlace>,
}

/// Errors are equal that say the same, whatever caused them.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<RemedyText>) -> Self {
        let text: RemedyText = message.into();
        Error {
            inner: Box::new(ErrorContent {
                kind,
                message: text.worded(rust_words),
                text,
                diagnostics: Vec::new(),
                cell: None,
            }),
            source: None,
        }
    }

    /// An error of a lower layer, which says the same and is kept as the source.
    fn of<E>(kind: ErrorKind, text: impl Into<RemedyText>, source: E) -> Self
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        Error {
            source: Some(Arc::new(source)),
            ..Error::new(kind, text)
        }
    }

    pub(crate) fn usage(message: impl Into<RemedyText>) -> Self {
        Error::new(ErrorKind::Usage, message)
    }

    /// An error that is told by messages about a text, the first of which speaks for all.
    pub(crate) fn of_diagnostics(
        kind: ErrorKind,
        found: &SourceDiagnostics,
        sources: &SourceMap,
        words: RemedyWords,
    ) -> Self {
        let diagnostics = found.iter();
        let diagnostics: Vec<Diagnostic> = diagnostics
            .map(|own| Diagnostic::of(own, sources, words))
            .collect();
        let is_error = |own: &&Diagnostic| own.severity == Severity::Error;
        let mut errors = diagnostics.iter().filter(is_error);
        let first = errors.next();
        let place = first.and_then(Diagnostic::place);
        let place = place.map_or(String::new(), |own| {
            format!("{}:{}:{}: ", own.file, own.line, own.column)
        });
        let message = first.map_or("it is wrong", |own| &own.message);
        let others = match errors.count() {
            0 => String::new(),
            1 => " (and 1 more error)".to_string(),
            n => format!(" (and {n} more errors)"),
        };
        let mut error = Error::new(kind, format!("{place}{message}{others}"));
        error.inner.diagnostics = diagnostics;
        error
    }

    /// Why a question has no answer.
    pub(crate) fn gap(question: &str, gap: QueryFailure) -> Self {
        let kind = match gap {
            QueryFailure::ImpossibleGiven | QueryFailure::ZeroMass => ErrorKind::Data,
            QueryFailure::TooLarge => ErrorKind::Numeric,
            QueryFailure::TooManyParts
            | QueryFailure::MixedDensities
            | QueryFailure::Unmentioned => ErrorKind::Circuit,
        };
        let question = match question.trim() {
            "" => "the question".to_string(),
            text => format!("`{text}`"),
        };
        Error::new(kind, format!("{question} {gap}"))
    }

    /// With messages about texts, each with its sources and the words for options.
    pub(crate) fn with_diagnostics<'a>(
        mut self,
        all: impl Iterator<Item = (&'a SourceDiagnostics, &'a SourceMap, RemedyWords)>,
    ) -> Self {
        let shown = all.flat_map(|(found, sources, words)| {
            found
                .iter()
                .map(move |own| Diagnostic::of(own, sources, words))
        });
        self.inner.diagnostics.extend(shown);
        self
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// What went wrong, in one sentence.
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// The same in the words of a binding to another language, or of another program.
    #[must_use]
    pub fn worded(&self, words: RemedyWords) -> String {
        self.inner.text.worded(words)
    }

    /// What there is to say about the circuit or the question, if that is what is wrong:
    /// all errors, and the warnings beside them.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.inner.diagnostics
    }

    /// The cell at fault, if data are what does not fit.
    pub fn cell(&self) -> Option<&CellPlace> {
        self.inner.cell.as_ref()
    }
}

impl From<BatchError> for Error {
    fn from(error: BatchError) -> Self {
        let kind = match error.cell {
            Some(_) => ErrorKind::Data,
            None => ErrorKind::Usage,
        };
        let cell = error.cell.clone();
        let mut own = Error::of(kind, error.to_string(), error);
        own.inner.cell = cell;
        own
    }
}

impl From<CompileError> for Error {
    fn from(error: CompileError) -> Self {
        let kind = match error {
            CompileError::Engine(_) => ErrorKind::Usage,
            #[cfg(feature = "build")]
            CompileError::NoDistribution(_) => ErrorKind::Circuit,
        };
        Error::of(kind, error.to_string(), error)
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        Error::of(ErrorKind::Usage, error.to_string(), error)
    }
}

impl From<NotUnderstood> for Error {
    fn from(error: NotUnderstood) -> Self {
        Error::of_diagnostics(ErrorKind::Usage, &error.found, &error.sources, rust_words)
    }
}

impl From<DataError> for Error {
    fn from(error: DataError) -> Self {
        let kind = match error.kind {
            DataErrorKind::Unreadable => ErrorKind::Usage,
            DataErrorKind::Unfit => ErrorKind::Data,
        };
        Error::of(kind, error.remedy_text(), error)
    }
}

impl From<LearnError> for Error {
    fn from(error: LearnError) -> Self {
        let kind = match error {
            LearnError::Read(error) => return error.into(),
            LearnError::Data(_) => ErrorKind::Data,
            LearnError::Circuit(_) | LearnError::NothingToLearn | LearnError::Refused(_) => {
                ErrorKind::Circuit
            }
            LearnError::Numeric(_) => ErrorKind::Numeric,
            LearnError::Option(_) | LearnError::Checkpoint(_) | LearnError::Compile(_) => {
                ErrorKind::Usage
            }
        };
        Error::of(kind, error.remedy_text(), error)
    }
}

impl From<StructureError> for Error {
    fn from(error: StructureError) -> Self {
        let kind = match error {
            StructureError::Learn(error) => return error.into(),
            StructureError::Data(_) => ErrorKind::Data,
            StructureError::Option(_)
            | StructureError::Circuit(_)
            | StructureError::Interrupted(_) => ErrorKind::Usage,
        };
        Error::of(kind, error.remedy_text(), error)
    }
}

impl From<InformationError> for Error {
    fn from(error: InformationError) -> Self {
        let kind = match &error {
            InformationError::Structure(_) | InformationError::Refused(_) => ErrorKind::Circuit,
            InformationError::Impossible(_) => ErrorKind::Data,
            InformationError::Numeric(_) => ErrorKind::Numeric,
            InformationError::Mismatch(_) | InformationError::Compile(_) => ErrorKind::Usage,
        };
        Error::of(kind, error.remedy_text(), error)
    }
}

impl From<TransformError> for Error {
    fn from(error: TransformError) -> Self {
        let kind = match &error {
            TransformError::Option(_) => ErrorKind::Usage,
            TransformError::Circuit(_)
            | TransformError::NothingLeft
            | TransformError::Refused(_) => ErrorKind::Circuit,
            TransformError::Zero(_) => ErrorKind::Data,
            TransformError::Numeric(_) => ErrorKind::Numeric,
        };
        Error::of(kind, error.remedy_text(), error)
    }
}
