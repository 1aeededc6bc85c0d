//! Diagnostics as text for people.

use super::{Label, Severity, SourceDiagnostic, SourceSuggestion, listed, visible};
use crate::remedy::RemedyWords;
use crate::source::{Source, SourceId, SourceMap, Span};
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet, Title,
};
use std::ops::Range;

/// Texts up to this size are searched for lines as a whole.
const WHOLE: usize = 128 << 10;

/// Of longer texts so much is looked at before and behind a place.
const WINDOW: usize = 64 << 10;

/// An edit that takes out or puts in more than this is told in words only.
const LONG_EDIT: usize = 2000;

/// So much of a line is shown before and behind an edit.
const EDIT_MARGIN: usize = 80;

/// A message with labelled snippets, as rustc draws them.
pub fn human(
    diagnostic: &SourceDiagnostic,
    sources: &SourceMap,
    words: RemedyWords,
    color: bool,
) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let report = report(diagnostic, sources, words);
    renderer.term_width(120).render(&report)
}

/// One line: `file:line:col: severity[CODE]: message`.
pub fn short(diagnostic: &SourceDiagnostic, sources: &SourceMap) -> String {
    let place = diagnostic.primary_span().map_or(String::new(), |span| {
        let source = sources.get(span.source);
        let (line, col) = source.line_col(span.start as usize);
        format!("{}:{line}:{col}: ", source.name())
    });
    let severity = diagnostic.severity.name();
    let line = format!(
        "{place}{severity}[{}]: {}",
        diagnostic.code, diagnostic.message
    );
    visible(&line).into_owned()
}

fn report<'a>(
    diagnostic: &'a SourceDiagnostic,
    sources: &'a SourceMap,
    words: RemedyWords,
) -> Vec<Group<'a>> {
    let title = level(diagnostic.severity)
        .primary_title(visible(&diagnostic.message))
        .id(diagnostic.code.as_str());
    let main = main_group(title, diagnostic, sources, words);
    let suggestions = diagnostic.suggestions.iter();
    let suggestions = suggestions.map(|suggestion| suggestion_group(suggestion, sources));
    std::iter::once(main).chain(suggestions).collect()
}

/// A suggestion with the changed lines, or alone where these are too long to be read.
fn suggestion_group<'a>(suggestion: &'a SourceSuggestion, sources: &'a SourceMap) -> Group<'a> {
    let group = Group::with_title(Level::HELP.secondary_title(visible(&suggestion.message)));
    let Some(window) = SourceExcerpt::of_edits(sources, &suggestion.edits) else {
        return group;
    };
    let patches = suggestion
        .edits
        .iter()
        .filter_map(|(span, text)| Some(Patch::new(window.range(span.range())?, text.as_str())));
    group.element(window.snippet::<Patch<'a>>().patches(patches))
}

fn main_group<'a>(
    title: Title<'a>,
    diagnostic: &'a SourceDiagnostic,
    sources: &'a SourceMap,
    words: RemedyWords,
) -> Group<'a> {
    let mut group = Group::with_title(title);
    for labels in neighbours(diagnostic, sources) {
        let window = SourceExcerpt::of_labels(sources, &labels);
        let annotations = labels.iter();
        let annotations: Vec<_> = annotations
            .filter_map(|label| annotation(label, window.range(label.span.range())?))
            .collect();
        if let Some(origin) = window.origin(sources, &labels) {
            group = group.element(origin);
        }
        group = group.element(window.snippet::<Annotation<'a>>().annotations(annotations));
    }
    let notes = diagnostic.notes.iter().cloned().chain(witness(diagnostic));
    group = group.elements(notes.map(|note| Level::NOTE.message(visible(&note).into_owned())));
    let help = diagnostic.worded_help(words).into_iter();
    group.elements(help.map(|help| Level::HELP.message(visible(&help).into_owned())))
}

fn annotation<'a>(label: &'a Label, range: Range<usize>) -> Option<Annotation<'a>> {
    let kind = if label.primary {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    };
    let annotation = kind.span(range);
    Some(if label.text.is_empty() {
        annotation
    } else {
        annotation.label(visible(&label.text))
    })
}

/// The witness as a note, unless the message has worded one itself.
fn witness(diagnostic: &SourceDiagnostic) -> Option<String> {
    let mut notes = diagnostic.notes.iter();
    if diagnostic.witness.is_empty() || notes.any(|note| note.starts_with("witness:")) {
        return None;
    }
    let values = diagnostic.witness.iter();
    let values = values.map(|(name, value)| format!("{name} = {value}"));
    Some(format!("witness: {}", listed(values)))
}

/// Labels that are shown in one snippet: those of one text and, in a huge one, near each other.
/// The snippet with the primary place comes first.
fn neighbours<'a>(diagnostic: &'a SourceDiagnostic, sources: &SourceMap) -> Vec<Vec<&'a Label>> {
    let mut labels: Vec<&Label> = diagnostic.labels.iter().collect();
    // Places of one text that are close stand in one snippet.
    labels.sort_by_key(|label| label.span);
    let mut snippets: Vec<Vec<&Label>> = Vec::new();
    for label in labels {
        let is_huge = sources.get(label.span.source).text().len() > WHOLE;
        let fits = |first: &&Label| {
            let distance = label.span.end.saturating_sub(first.span.start) as usize;
            first.span.source == label.span.source && (!is_huge || distance <= WINDOW)
        };
        match snippets.last_mut() {
            Some(snippet) if snippet.first().is_some_and(fits) => snippet.push(label),
            _ => snippets.push(vec![label]),
        }
    }
    snippets.sort_by_key(|snippet| !snippet.iter().any(|label| label.primary));
    snippets
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// The part of a text that is shown: whole for ordinary files, cut for huge
/// ones so that a message about a megabyte on one line stays quick to draw.
struct SourceExcerpt<'a> {
    name: &'a str,
    text: &'a str,
    offset: usize,
    first_line: usize,
    /// Whether the text begins in the middle of a line.
    cuts_line: bool,
}

impl<'a> SourceExcerpt<'a> {
    /// The part around labels of one text.
    fn of_labels(sources: &'a SourceMap, labels: &[&Label]) -> SourceExcerpt<'a> {
        let id = labels
            .first()
            .map_or(SourceId(0), |label| label.span.source);
        let source = sources.get(id);
        let text = source.text();
        // Of a huge text the lines around the first label are shown, from the start of its line
        // if that is near.
        if text.len() <= WHOLE {
            return SourceExcerpt::cut(source, 0, text.len());
        }
        let start = labels.iter().map(|label| label.span.start).min();
        let start = start.map_or(0, |start| start as usize);
        let (_, line_start) = source.line_at(start);
        let end = (start + 2 * WINDOW).min(text.len());
        SourceExcerpt::cut(source, line_start.max(start.saturating_sub(WINDOW)), end)
    }

    /// The lines that edits change, cut if they are long; `None` if even the edits are.
    fn of_edits(sources: &'a SourceMap, edits: &[(Span, String)]) -> Option<SourceExcerpt<'a>> {
        let source = sources.get(edits.first()?.0.source);
        let start = edits.iter().map(|(span, _)| span.start as usize).min()?;
        let end = edits.iter().map(|(span, _)| span.end as usize).max()?;
        let added: usize = edits.iter().map(|(_, text)| text.len()).sum();
        // Edits that nobody would read are told in words.
        if end - start > LONG_EDIT || added > LONG_EDIT {
            return None;
        }
        let (_, line_start) = source.line_at(start);
        let rest = &source.text()[end..];
        let line_end = end + rest.find('\n').unwrap_or(rest.len());
        Some(SourceExcerpt::cut(
            source,
            line_start.max(start.saturating_sub(EDIT_MARGIN)),
            line_end.min(end + EDIT_MARGIN),
        ))
    }

    /// The text from `start` to `end`, each moved to the start of a character.
    fn cut(source: &'a Source, start: usize, end: usize) -> SourceExcerpt<'a> {
        let text = source.text();
        let (start, end) = (
            text.floor_char_boundary(start),
            text.floor_char_boundary(end),
        );
        let (line, line_start) = source.line_at(start);
        SourceExcerpt {
            name: source.name(),
            text: &text[start..end],
            offset: start,
            first_line: line + 1,
            cuts_line: line_start < start,
        }
    }

    /// A range of the whole text as one of the window, if it is visible.
    fn range(&self, range: Range<usize>) -> Option<Range<usize>> {
        let start = range.start.checked_sub(self.offset)?;
        let end = range.end.checked_sub(self.offset)?.min(self.text.len());
        (start <= end).then_some(start..end)
    }

    /// Where the primary place is, if that cannot be told from the part of the line shown.
    fn origin(&self, sources: &'a SourceMap, labels: &[&Label]) -> Option<Origin<'a>> {
        if !self.cuts_line {
            return None;
        }
        let primary = labels.iter().find(|label| label.primary);
        let label = primary.or(labels.first())?;
        let source = sources.get(label.span.source);
        let (line, col) = source.line_col(label.span.start as usize);
        let origin = Origin::path(visible(source.name()));
        Some(origin.line(line).char_column(col))
    }

    fn snippet<T: Clone>(&self) -> Snippet<'a, T> {
        let snippet = Snippet::source(self.text).line_start(self.first_line);
        if self.cuts_line {
            snippet
        } else {
            snippet.path(visible(self.name))
        }
    }
}
