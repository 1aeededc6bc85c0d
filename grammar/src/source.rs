//! Source texts and places in them.

use std::path::PathBuf;

/// Names one text of a [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A half-open byte range in one source text.
///
/// Every node of the syntax tree and every unit of a circuit carries one, so
/// that messages can point at what the author wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text this span lies in.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` to `end` (exclusive) in `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Span {
            source,
            start: start as u32,
            end: end as u32,
        }
    }

    /// The smallest span that holds both; `other` must lie in the same text.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty span just behind this one, where text can be inserted.
    #[must_use]
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// The empty span just before this one.
    #[must_use]
    pub fn before(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }

    /// The bytes as a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether `offset` lies in the span or just behind it, as an editor's cursor does.
    pub fn touches(self, offset: usize) -> bool {
        (self.start as usize) <= offset && offset <= self.end as usize
    }
}

/// One text with the name that messages call it by.
#[derive(Clone, Debug)]
pub struct Source {
    id: SourceId,
    name: String,
    path: Option<PathBuf>,
    text: String,
    line_starts: Vec<u32>,
}

impl Source {
    fn new(id: SourceId, name: String, path: Option<PathBuf>, text: String) -> Self {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(newlines.map(|(at, _)| at as u32 + 1))
            .collect();
        Source {
            id,
            name,
            path,
            text,
            line_starts,
        }
    }

    /// A text on its own, outside any map: for tests and tools that read a single file.
    pub fn standalone(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source::new(SourceId(0), name.into(), None, text.into())
    }

    /// The id spans refer to.
    pub fn id(&self) -> SourceId {
        self.id
    }

    /// The name shown in messages, usually the path as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the text was read from, if it was a file; `use` is relative to it.
    pub fn path(&self) -> Option<&std::path::Path> {
        self.path.as_deref()
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span of this source.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Zero-based line and the byte offset at which it starts.
    pub fn line_at(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len()) as u32;
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        (line, self.line_starts[line] as usize)
    }

    /// One-based line and column, the column counted in characters.
    pub fn line_col(&self, offset: usize) -> (usize, usize) {
        let (line, start) = self.line_at(offset);
        let end = offset.min(self.text.len());
        let col = self
            .text
            .get(start..end)
            .map_or(end - start, |before| before.chars().count());
        (line + 1, col + 1)
    }

    /// Byte offset at which a zero-based line starts, if there is such a line.
    pub fn line_start(&self, line: usize) -> Option<usize> {
        self.line_starts.get(line).map(|&start| start as usize)
    }

    /// The span of the whole text.
    pub fn span(&self) -> Span {
        Span::new(self.id, 0, self.text.len())
    }
}

/// All texts of one compilation: the file given and what it `use`s.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text; `name` is how messages call it, `path` what `use` is relative to.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        path: Option<PathBuf>,
        text: impl Into<String>,
    ) -> SourceId {
        let id = SourceId(self.sources.len() as u32);
        self.sources
            .push(Source::new(id, name.into(), path, text.into()));
        id
    }

    /// The source of an id this map handed out.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    /// The text a span covers.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).slice(span)
    }

    /// All sources, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter()
    }
}
