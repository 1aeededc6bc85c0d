//! Messages about a circuit as plain data.

use pelton_grammar::diagnostic::{self, Severity, WitnessValue, render};
use pelton_grammar::remedy::RemedyWords;
use pelton_grammar::source::{SourceMap, Span};

/// One message about a text: what is wrong, where, why, and the way out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The stable code, such as `PC0103`; `pelton explain` has a page on each.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence that names the thing at fault.
    pub message: String,
    /// Places, the one at fault first.
    pub places: Vec<Place>,
    /// Facts that help to understand the message.
    pub notes: Vec<String>,
    /// The way out, in words.
    pub help: Option<String>,
    /// Ways out, as edits.
    pub suggestions: Vec<Suggestion>,
    /// An assignment that shows the fault, by variable name.
    pub witness: Vec<(String, WitnessValue)>,
    /// The message as a terminal shows it, with the text it is about.
    pub rendered: String,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// What the text is called.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Bytes from the beginning of the text to the first one of the place.
    pub start: usize,
    /// Likewise to the first one behind it.
    pub end: usize,
    /// What is to be seen there; may be empty.
    pub label: String,
    /// Whether this is the place at fault rather than one that explains it.
    pub is_primary: bool,
}

/// A repair: all of its edits together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suggestion {
    /// What it does, in one line.
    pub message: String,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// Text that replaces what stands at a place; an empty place inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// Where.
    pub place: Place,
    /// The new text.
    pub replacement: String,
}

impl Diagnostic {
    /// The place at fault, if the message has one.
    pub fn place(&self) -> Option<&Place> {
        self.places.iter().find(|place| place.is_primary)
    }

    pub(crate) fn of(
        own: &diagnostic::SourceDiagnostic,
        sources: &SourceMap,
        words: RemedyWords,
    ) -> Self {
        let places = own.labels.iter().map(|label| Place {
            label: label.text.clone(),
            is_primary: label.primary,
            ..Place::of(label.span, sources)
        });
        let suggestions = own.suggestions.iter().map(|suggestion| Suggestion {
            message: suggestion.message.clone(),
            edits: suggestion
                .edits
                .iter()
                .map(|edit| Edit::of(edit, sources))
                .collect(),
        });
        Diagnostic {
            code: own.code.as_str().to_string(),
            severity: own.severity,
            message: own.message.clone(),
            places: places.collect(),
            notes: own.notes.clone(),
            help: own.worded_help(words),
            suggestions: suggestions.collect(),
            witness: own.witness.clone(),
            rendered: render::human(own, sources, words, false),
        }
    }
}

impl Place {
    fn of(span: Span, sources: &SourceMap) -> Self {
        let source = sources.get(span.source);
        let (line, column) = source.line_col(span.start as usize);
        Place {
            file: source.name().to_string(),
            line,
            column,
            start: span.start as usize,
            end: span.end as usize,
            label: String::new(),
            is_primary: false,
        }
    }
}

impl Edit {
    fn of((span, replacement): &(Span, String), sources: &SourceMap) -> Self {
        Edit {
            place: Place::of(*span, sources),
            replacement: replacement.clone(),
        }
    }
}
