//! Diagnostics as text for people.

use super::{Diagnostic, Severity};
use crate::source::{SourceId, SourceMap};
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet, Title,
};

/// Text longer than this is shown as the part around the message.
const WINDOW: usize = 64 << 10;

/// A message with labelled snippets, as rustc draws them.
pub fn human(diagnostic: &Diagnostic, sources: &SourceMap, color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let report = report(diagnostic, sources);
    renderer.term_width(120).render(&report)
}

/// One line: `file:line:col: severity[CODE]: message`.
pub fn short(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let place = diagnostic.primary_span().map_or(String::new(), |span| {
        let source = sources.get(span.source);
        let (line, col) = source.line_col(span.start as usize);
        format!("{}:{line}:{col}: ", source.name())
    });
    let severity = diagnostic.severity.name();
    format!(
        "{place}{severity}[{}]: {}",
        diagnostic.code, diagnostic.message
    )
}

fn report<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Group<'a>> {
    let title = level(diagnostic.severity)
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.as_str());
    let mut groups = vec![main_group(title, diagnostic, sources)];
    for suggestion in &diagnostic.suggestions {
        let Some((first, _)) = suggestion.edits.first() else {
            continue;
        };
        let window = Window::around(sources, first.source, &[first.range()]);
        let patches = suggestion.edits.iter().filter_map(|(span, text)| {
            Some(Patch::new(window.range(span.range())?, text.as_str()))
        });
        let snippet = window.snippet::<Patch<'a>>().patches(patches);
        let title = Level::HELP.secondary_title(suggestion.message.as_str());
        groups.push(title.element(snippet));
    }
    groups
}

fn main_group<'a>(
    title: Title<'a>,
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
) -> Group<'a> {
    let mut group = Group::with_title(title);
    for source in sources_in_order(diagnostic) {
        let labels = || diagnostic.labels.iter().filter(|l| l.span.source == source);
        let ranges: Vec<_> = labels().map(|label| label.span.range()).collect();
        let window = Window::around(sources, source, &ranges);
        let annotations = labels().filter_map(|label| {
            let kind = match label.primary {
                true => AnnotationKind::Primary,
                false => AnnotationKind::Context,
            };
            let annotation = kind.span(window.range(label.span.range())?);
            Some(match label.text.is_empty() {
                true => annotation,
                false => annotation.label(label.text.as_str()),
            })
        });
        group = group.element(window.snippet::<Annotation<'a>>().annotations(annotations));
    }
    group = group.elements(
        diagnostic
            .notes
            .iter()
            .map(|note| Level::NOTE.message(note.as_str())),
    );
    group.elements(
        diagnostic
            .help
            .iter()
            .map(|help| Level::HELP.message(help.as_str())),
    )
}

/// The sources a message touches, that of the primary place first.
fn sources_in_order(diagnostic: &Diagnostic) -> Vec<SourceId> {
    let mut order = Vec::new();
    let primary = diagnostic.primary_span().map(|span| span.source);
    for source in primary
        .into_iter()
        .chain(diagnostic.labels.iter().map(|label| label.span.source))
    {
        if !order.contains(&source) {
            order.push(source);
        }
    }
    order
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
struct Window<'a> {
    name: &'a str,
    text: &'a str,
    offset: usize,
    first_line: usize,
}

impl<'a> Window<'a> {
    fn around(
        sources: &'a SourceMap,
        id: SourceId,
        ranges: &[std::ops::Range<usize>],
    ) -> Window<'a> {
        let source = sources.get(id);
        let text = source.text();
        if text.len() <= 2 * WINDOW {
            return Window {
                name: source.name(),
                text,
                offset: 0,
                first_line: 1,
            };
        }
        let place = ranges.first().map_or(0, |range| range.start);
        let last = ranges.iter().map(|range| range.end).max().unwrap_or(place);
        let (line, line_start) = source.line_at(place);
        let offset = boundary_before(text, line_start.max(place.saturating_sub(WINDOW)));
        let end = boundary_before(text, (last.min(place + WINDOW) + WINDOW).min(text.len()));
        Window {
            name: source.name(),
            text: &text[offset..end],
            offset,
            first_line: line + 1,
        }
    }

    /// A range of the whole text as one of the window, if it is visible.
    fn range(&self, range: std::ops::Range<usize>) -> Option<std::ops::Range<usize>> {
        let start = range.start.checked_sub(self.offset)?;
        let end = (range.end - self.offset).min(self.text.len());
        (start <= end).then_some(start..end)
    }

    fn snippet<T: Clone>(&self) -> Snippet<'a, T> {
        Snippet::source(self.text)
            .path(self.name)
            .line_start(self.first_line)
    }
}

fn boundary_before(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
