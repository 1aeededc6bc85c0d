//! Canonical text.
//!
//! Statement by statement: the tree is written as pieces (`item`, `expr`),
//! comments are woven in between the tokens where the author put them
//! (`comments`, `writer`), and the pieces are laid out in lines (`layout`).
//!
//! Laws, tested over random trees and texts: the result parses to the same
//! tree, formatting it again changes nothing, and every comment survives.

mod comments;
mod expr;
mod item;
mod layout;
#[cfg(test)]
mod tests;
mod writer;

use crate::ast::{Comment, FileSyntax, Item};
use crate::diagnostic::SourceDiagnostics;
use crate::parse::{ParseOptions, parse};
use crate::source::Source;
use comments::CommentGaps;
use writer::StatementWriter;

/// The canonical text of a source, or the messages that say why it has none.
///
/// A text with broken statements is refused: what cannot be read cannot be
/// written back.
pub fn format_source(source: &Source, options: &ParseOptions) -> Result<String, SourceDiagnostics> {
    let mut found = SourceDiagnostics::new();
    let file = parse(source, options, &mut found);
    if found.has_errors() {
        Err(found)
    } else {
        Ok(format(&file, source))
    }
}

/// The canonical text of a file that was read from `source` without errors.
///
/// Comments, documentation and single blank lines between statements are kept,
/// and lines end as the first line of the source does.
pub fn format(file: &FileSyntax, source: &Source) -> String {
    let mut text = FileWriter::new(source, &file.comments);
    for item in &file.items {
        text.item(item);
    }
    text.finish()
}

/// Writes statements with the comments and blank lines between them.
struct FileWriter<'a> {
    source: &'a Source,
    comments: &'a [Comment],
    out: String,
    /// End, in the source, of what was written last.
    end: usize,
    /// Whether the last line has a statement, so that another one starts a new line.
    line_has_statement: bool,
}

impl<'a> FileWriter<'a> {
    fn new(source: &'a Source, comments: &'a [Comment]) -> Self {
        FileWriter {
            source,
            comments,
            out: String::new(),
            end: 0,
            line_has_statement: false,
        }
    }

    fn item(&mut self, item: &'a Item) {
        let doc_start = item.docs.first().map(|doc| doc.span.start);
        let start = doc_start.unwrap_or(item.span.start) as usize;
        let end = item.span.end as usize;
        // 1. What stands before the statement: comments, and at most one blank line.
        self.comments_before(start);
        self.separate(start, false);

        // 2. Comments inside it are woven in between its tokens.
        let n_inside = self
            .comments
            .partition_point(|comment| (comment.span.start as usize) < end);
        let (inside, rest) = self.comments.split_at(n_inside);
        self.comments = rest;
        let text = &self.source.text()[start..end];
        let gaps = (!inside.is_empty()).then(|| CommentGaps::new(text, start, inside));
        let mut writer = StatementWriter::new(gaps);
        writer.item(item);
        // 3. It begins where the last line ends, behind a comment perhaps.
        let line_start = self.out.rfind('\n').map_or(0, |at| at + 1);
        let column = self.out[line_start..].chars().count();
        layout::layout(&writer.pieces, column, &mut self.out);
        self.end = end;
        self.line_has_statement = true;
    }

    /// Writes the comments that stand between statements, up to `limit`.
    fn comments_before(&mut self, limit: usize) {
        while let Some((comment, rest)) = self.comments.split_first() {
            if comment.span.start as usize >= limit {
                return;
            }
            self.comments = rest;
            self.separate(comment.span.start as usize, true);
            self.out.push_str(&comment.text);
            self.end = comment.span.end as usize;
        }
    }

    /// Ends what was written last: a comment stays on the line of what stands before it, a
    /// statement on that of a comment, and of several blank lines one is kept.
    fn separate(&mut self, start: usize, is_comment: bool) {
        if self.out.is_empty() {
            return;
        }
        let between = &self.source.text()[self.end..start];
        match between.matches('\n').count() {
            0 if is_comment || !self.line_has_statement => return self.out.push(' '),
            0 | 1 => self.out.push('\n'),
            _ => self.out.push_str("\n\n"),
        }
        self.line_has_statement = false;
    }

    fn finish(mut self) -> String {
        self.comments_before(usize::MAX);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        with_line_ends_of(self.source.text(), self.out)
    }
}

/// `out` with all lines ended as the first line of `text` is.
fn with_line_ends_of(text: &str, out: String) -> String {
    // The first line decides for all; a text without line ends has none to follow.
    let has_returns = text
        .split_once('\n')
        .is_some_and(|(first, _)| first.ends_with('\r'));
    if !has_returns && !out.contains("\r\n") {
        return out;
    }
    let plain = out.replace("\r\n", "\n");
    if has_returns {
        plain.replace('\n', "\r\n")
    } else {
        plain
    }
}
