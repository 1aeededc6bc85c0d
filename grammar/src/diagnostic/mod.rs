//! The one message type of Pelton, and its sinks.
//!
//! Every stage reports through [`SourceDiagnostic`]. Three sinks read it: the
//! terminal ([`render`]), JSON ([`json`]) and the language server.

mod code;
mod count;
pub mod json;
pub mod render;
#[cfg(test)]
mod tests;
mod visible;

pub use code::Code;
pub use count::{counted, joined, listed, quoted_list, thousands};
pub use visible::visible;

use crate::remedy::{RemedyText, RemedyWords};
use crate::source::Span;
use std::collections::HashSet;

/// How bad a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something the tool did that the author should know.
    Note,
    /// Legal but probably not meant.
    Warning,
    /// The circuit is wrong.
    Error,
}

impl Severity {
    /// The word used in all sinks.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A labelled place.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be seen there; may be empty.
    pub text: String,
    /// Whether this is the place at fault rather than one that explains it.
    pub primary: bool,
}

/// A repair: replace the text of each span.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceSuggestion {
    /// What the repair does, in one line.
    pub message: String,
    /// Replacements, each of a span by a text; an empty span inserts.
    pub edits: Vec<(Span, String)>,
}

/// A value in a witness assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum WitnessValue {
    /// Value of a `bool` variable.
    Bool(bool),
    /// Value of an integer or `nat` variable.
    Int(i64),
    /// Value of a `real` variable.
    Real(f64),
    /// A named category.
    Category(String),
}

impl std::fmt::Display for WitnessValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WitnessValue::Bool(value) => write!(f, "{value}"),
            WitnessValue::Int(value) => write!(f, "{value}"),
            // Never hundreds of digits.
            WitnessValue::Real(value) => match value.abs() {
                0.0 | 1e-5..1e15 | f64::INFINITY => write!(f, "{value}"),
                _ => write!(f, "{value:e}"),
            },
            WitnessValue::Category(name) => f.write_str(name),
        }
    }
}

/// One message: what is wrong, where, why, and the way out.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a message is lost unless it is pushed"]
pub struct SourceDiagnostic {
    /// The stable code, explained by `pelton explain`.
    pub code: Code,
    /// How bad it is; starts as the code's own severity.
    pub severity: Severity,
    /// One sentence that names the thing at fault.
    pub message: String,
    /// Places, the primary one first where there is one.
    pub labels: Vec<Label>,
    /// Facts that help to understand the message.
    pub notes: Vec<String>,
    /// The way out, in words and options.
    pub help: Option<RemedyText>,
    /// The way out, as edits.
    pub suggestions: Vec<SourceSuggestion>,
    /// An assignment that shows the fault, by variable name.
    pub witness: Vec<(String, WitnessValue)>,
}

impl SourceDiagnostic {
    /// A message of `code` at `span`; the primary label has no text yet.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let mut diagnostic = Self::without_place(code, message);
        diagnostic.labels.push(Label {
            span,
            text: String::new(),
            primary: true,
        });
        diagnostic
    }

    /// A message that has no place in any text, such as a wrong value of a constant.
    pub fn without_place(code: Code, message: impl Into<String>) -> Self {
        SourceDiagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            suggestions: Vec::new(),
            witness: Vec::new(),
        }
    }

    /// Sets the text at the primary place.
    pub fn at(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.labels.iter_mut().find(|label| label.primary) {
            label.text = text.into();
        }
        self
    }

    /// Adds a second place that explains the first.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
            primary: false,
        });
        self
    }

    /// Adds a fact.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says the way out in words and options.
    pub fn help(mut self, text: impl Into<RemedyText>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Offers the way out as one replacement.
    pub fn suggest(
        self,
        message: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        self.suggest_edits(message, vec![(span, replacement.into())])
    }

    /// Offers the way out as several replacements made together.
    pub fn suggest_edits(mut self, message: impl Into<String>, edits: Vec<(Span, String)>) -> Self {
        self.suggestions.push(SourceSuggestion {
            message: message.into(),
            edits,
        });
        self
    }

    /// Attaches the assignment that shows the fault.
    pub fn witness(mut self, witness: Vec<(String, WitnessValue)>) -> Self {
        self.witness = witness;
        self
    }

    /// Overrides the code's own severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The way out in the words of a front end, if there is one for it.
    pub fn worded_help(&self, words: RemedyWords) -> Option<String> {
        let help = self.help.as_ref()?.worded(words);
        Some(help).filter(|help| !help.is_empty())
    }

    /// The place at fault, if the message has one.
    pub fn primary_span(&self) -> Option<Span> {
        let primary = self.labels.iter().find(|label| label.primary)?;
        Some(primary.span)
    }
}

/// Messages of one run, in the order found.
#[derive(Clone, Debug, Default)]
pub struct SourceDiagnostics {
    list: Vec<SourceDiagnostic>,
    /// What has been said, so that a text with a million faults costs a million steps.
    said: HashSet<DiagnosticKey>,
}

/// What tells one message from another: its code with its place or, if it has none, its text.
type DiagnosticKey = (Code, Result<Span, String>);

impl SourceDiagnostic {
    fn said(&self) -> DiagnosticKey {
        let place = self.labels.first().map(|label| label.span);
        (self.code, place.ok_or_else(|| self.message.clone()))
    }
}

impl SourceDiagnostics {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message unless the very same one is there already.
    ///
    /// Two instances of an indexed node often fail alike at one place; the
    /// first speaks for all.
    pub fn push(&mut self, diagnostic: SourceDiagnostic) {
        if self.said.insert(diagnostic.said()) {
            self.list.push(diagnostic);
        }
    }

    /// Whether any message is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// Number of messages of one severity.
    pub fn count(&self, severity: Severity) -> usize {
        let of_severity = self.iter().filter(|own| own.severity == severity);
        of_severity.count()
    }

    /// Number of messages.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All messages in the order found.
    pub fn iter(&self) -> impl Iterator<Item = &SourceDiagnostic> {
        self.list.iter()
    }

    /// Changes messages in place, for instance to silence what `@allow` names.
    pub fn retain(&mut self, keep: impl FnMut(&SourceDiagnostic) -> bool) {
        self.list.retain(keep);
        self.said = self.list.iter().map(SourceDiagnostic::said).collect();
    }

    /// Appends all of `other`.
    pub fn extend(&mut self, other: SourceDiagnostics) {
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }
}

impl IntoIterator for SourceDiagnostics {
    type Item = SourceDiagnostic;
    type IntoIter = std::vec::IntoIter<SourceDiagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
