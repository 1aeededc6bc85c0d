//! Why a file of another tool cannot be read.

use super::CircuitFormat;
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::remedy::RemedyText;
use pelton_grammar::source::{Source, Span};

/// What is wrong with a file, and where.
#[derive(Debug, PartialEq)]
pub(crate) struct ImportError {
    /// The place; none if it is the file as a whole.
    span: Option<Span>,
    /// One sentence that names the thing at fault.
    message: String,
    /// A way out.
    help: Option<Box<RemedyText>>,
}

impl ImportError {
    /// Something wrong at a place.
    pub fn at(span: Span, message: impl Into<String>) -> Self {
        ImportError {
            span: Some(span),
            message: message.into(),
            help: None,
        }
    }

    /// Something wrong with the file as a whole.
    pub fn whole(message: impl Into<String>) -> Self {
        ImportError {
            span: None,
            message: message.into(),
            help: None,
        }
    }

    /// A file that is recognised, but is no circuit that can be read.
    pub fn refused(format: CircuitFormat) -> Self {
        let (message, help) = match format {
            CircuitFormat::Vtree => (
                "a vtree alone is no circuit",
                "give the .psdd or .sdd file; it is read without its vtree",
            ),
            CircuitFormat::Logistic => (
                "a logistic circuit is a classifier: its weights define no distribution over its variables",
                "there is nothing to convert; train a PSDD or learn a circuit from the data instead",
            ),
            _ => (
                "this is a Python pickle, which can run any code when it is opened",
                "save the circuit as text in the tool that wrote it, for example with Juice's `write`",
            ),
        };
        ImportError::whole(message).help(help)
    }

    /// With a way out.
    pub fn help(mut self, help: impl Into<RemedyText>) -> Self {
        self.help = Some(Box::new(help.into()));
        self
    }

    /// The message for the user.
    pub fn diagnostic(self, source: &Source, format: CircuitFormat) -> SourceDiagnostic {
        let span = self.span.unwrap_or_else(|| source.span().before());
        let diagnostic = SourceDiagnostic::new(Code::BadImport, span, self.message);
        let diagnostic = diagnostic.note(format!("the file is read as {}", format.title()));
        match self.help {
            Some(help) => diagnostic.help(*help),
            None => diagnostic,
        }
    }
}
