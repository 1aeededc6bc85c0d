//! The one error type of the library.

use crate::Diagnostic;
use crate::open::OpenError;
use pelton_compiler::load::Program;
use pelton_grammar::diagnostic::{Diagnostics, Severity};
use pelton_grammar::source::SourceMap;
use pelton_runtime::CompileError;
use pelton_runtime::data::{BatchError, DataError, DataErrorKind};
use pelton_runtime::learn::LearnError;
use pelton_runtime::query::InformationError;
use pelton_runtime::query::{Gap, NotUnderstood};
use pelton_runtime::structure::StructureError;
use std::fmt;

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

/// Why there is no result.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    inner: Box<Inner>,
}

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    diagnostics: Vec<Diagnostic>,
    cell: Option<Cell>,
}

/// The cell of a batch that is no value of its variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its row, from 0.
    pub row: usize,
    /// Its column, from 0.
    pub column: usize,
    /// The variable that the column is.
    pub variable: String,
    /// What it holds, as text.
    pub value: String,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            inner: Box::new(Inner {
                kind,
                message: message.into(),
                diagnostics: Vec::new(),
                cell: None,
            }),
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Usage, message)
    }

    /// An error that is told by messages about a text, the first of which speaks for all.
    fn told(kind: ErrorKind, found: &Diagnostics, sources: &SourceMap) -> Self {
        let is_error = |severity| severity == Severity::Error;
        let diagnostics: Vec<Diagnostic> = found
            .iter()
            .map(|own| Diagnostic::of(own, sources))
            .collect();
        let mut errors = diagnostics.iter().filter(|own| is_error(own.severity));
        let mut message =
            errors
                .next()
                .map_or("it is wrong".to_string(), |first| match first.place() {
                    Some(place) => {
                        let (file, line, column) = (&place.file, place.line, place.column);
                        format!("{file}:{line}:{column}: {}", first.message)
                    }
                    None => first.message.clone(),
                });
        match errors.count() {
            0 => {}
            1 => message.push_str(" (and 1 more error)"),
            n => message.push_str(&format!(" (and {n} more errors)")),
        }
        let mut error = Error::new(kind, message);
        error.inner.diagnostics = diagnostics;
        error
    }

    pub(crate) fn wrong(found: &Diagnostics, program: &Program) -> Self {
        Error::told(ErrorKind::Circuit, found, &program.sources)
    }

    /// Why a question has no answer.
    pub(crate) fn gap(question: &str, gap: Gap) -> Self {
        let kind = match gap {
            Gap::ImpossibleGiven | Gap::ZeroMass => ErrorKind::Data,
            Gap::TooLarge => ErrorKind::Numeric,
            Gap::TooManyParts | Gap::MixedDensities | Gap::Unmentioned => ErrorKind::Circuit,
        };
        let question = match question.trim() {
            "" => "the question".to_string(),
            text => format!("`{text}`"),
        };
        Error::new(kind, format!("{question} {gap}"))
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// What went wrong, in one sentence.
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// What there is to say about the circuit or the question, if that is what is wrong:
    /// all errors, and the warnings beside them.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.inner.diagnostics
    }

    /// The cell at fault, if data are what does not fit.
    pub fn cell(&self) -> Option<&Cell> {
        self.inner.cell.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.inner.message)
    }
}

impl std::error::Error for Error {}

impl From<BatchError> for Error {
    fn from(error: BatchError) -> Self {
        let kind = match error.cell {
            Some(_) => ErrorKind::Data,
            None => ErrorKind::Usage,
        };
        let mut own = Error::new(kind, error.to_string());
        own.inner.cell = error.cell.map(|cell| Cell {
            row: cell.row,
            column: cell.column,
            variable: cell.variable,
            value: cell.value,
        });
        own
    }
}

impl From<CompileError> for Error {
    fn from(error: CompileError) -> Self {
        Error::usage(error.to_string())
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        Error::usage(error.to_string())
    }
}

impl From<NotUnderstood> for Error {
    fn from(error: NotUnderstood) -> Self {
        Error::told(ErrorKind::Usage, &error.found, &error.sources)
    }
}

impl From<DataError> for Error {
    fn from(error: DataError) -> Self {
        let kind = match error.kind {
            DataErrorKind::Unreadable => ErrorKind::Usage,
            DataErrorKind::Unfit => ErrorKind::Data,
        };
        Error::new(kind, error.to_string())
    }
}

impl From<LearnError> for Error {
    fn from(error: LearnError) -> Self {
        let kind = match &error {
            LearnError::Read(_) | LearnError::Data(_) => ErrorKind::Data,
            LearnError::Circuit(_) | LearnError::Refused(_) => ErrorKind::Circuit,
            LearnError::Numeric(_) => ErrorKind::Numeric,
            LearnError::Option(_) | LearnError::Checkpoint(_) | LearnError::Compile(_) => {
                ErrorKind::Usage
            }
        };
        Error::new(kind, error.to_string())
    }
}

impl From<StructureError> for Error {
    fn from(error: StructureError) -> Self {
        match error {
            StructureError::Data(message) => Error::new(ErrorKind::Data, message),
            StructureError::Option(message)
            | StructureError::Circuit(message)
            | StructureError::Interrupted(message) => Error::usage(message),
            StructureError::Learn(error) => error.into(),
        }
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
        Error::new(kind, error.to_string())
    }
}
