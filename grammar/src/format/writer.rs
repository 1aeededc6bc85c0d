//! Collects the pieces of one statement and weaves its comments in.

use super::comments::{CommentGaps, GapComment};
use super::layout::{FormatPiece, LineBreak};
use crate::parse::RESERVED;

pub(super) struct StatementWriter<'a> {
    pub(super) pieces: Vec<FormatPiece<'a>>,
    /// The statement's comments, if it has any.
    gaps: Option<CommentGaps<'a>>,
    /// How many pieces there were behind the last token.
    token_end: usize,
    last: &'a str,
    /// Whether the keyword is written, so that new lines continue the statement.
    pub(super) in_body: bool,
    /// How equality is written here: `=` in events, `==` in conditions on constants.
    pub(super) equals: &'static str,
    /// Whether the next token would be taken for a domain if it were `bool`, `real` or `nat`.
    pub(super) at_domain: bool,
}

impl<'a> StatementWriter<'a> {
    pub(super) fn new(gaps: Option<CommentGaps<'a>>) -> Self {
        StatementWriter {
            pieces: Vec::new(),
            gaps,
            token_end: 0,
            last: "",
            in_body: false,
            equals: "==",
            at_domain: false,
        }
    }

    /// Writes a token, and before it the comments that stand there.
    pub(super) fn token(&mut self, text: &'a str) {
        self.parts(&[text]);
    }

    /// Writes a token that is made of several parts.
    fn parts(&mut self, parts: &[&'a str]) {
        if let Some(gaps) = &mut self.gaps {
            let gap = gaps.before(parts[0]);
            if !gap.is_empty() {
                self.weave(&gap, parts[0]);
            }
        }
        self.pieces
            .extend(parts.iter().map(|part| FormatPiece::Text(part)));
        self.token_end = self.pieces.len();
        self.last = parts[parts.len() - 1];
        self.at_domain = false;
    }

    /// Writes a name, in backquotes if it needs them.
    pub(super) fn name(&mut self, name: &'a str) {
        let names_domain = self.at_domain && matches!(name, "bool" | "real" | "nat");
        if is_plain(name) && !names_domain {
            self.token(name)
        } else {
            self.parts(&["`", name, "`"])
        }
    }

    pub(super) fn text(&mut self, text: &'a str) {
        let mut parts = vec!["\""];
        let mut rest = text;
        while let Some(at) = rest.find(['"', '\\', '\n', '\t']) {
            parts.push(&rest[..at]);
            parts.push(match rest.as_bytes()[at] {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                b'\n' => "\\n",
                _ => "\\t",
            });
            rest = &rest[at + 1..];
        }
        parts.push(rest);
        parts.push("\"");
        self.parts(&parts);
    }

    pub(super) fn blank(&mut self) {
        self.pieces.push(FormatPiece::Blank);
    }

    pub(super) fn newline(&mut self) {
        self.pieces.push(FormatPiece::Newline);
    }

    pub(super) fn indent(&mut self) {
        self.pieces.push(FormatPiece::Indent);
    }

    pub(super) fn dedent(&mut self) {
        self.pieces.push(FormatPiece::Dedent);
    }

    /// A break that is a blank, or nothing, where its group is on one line.
    pub(super) fn line(&mut self, blank: bool) {
        self.line_break(blank, 0, false);
    }

    /// A break before an operator, which hangs out so that the operands line up.
    pub(super) fn operator_line(&mut self, operator: &str) {
        self.line_break(true, operator.len() + 1, false);
    }

    /// A break that is taken only where the line is full.
    pub(super) fn fill_line(&mut self) {
        self.line_break(true, 0, true);
    }

    fn line_break(&mut self, blank: bool, hang: usize, fill: bool) {
        let line = LineBreak { blank, hang, fill };
        self.pieces.push(FormatPiece::Line(line));
    }

    /// Writes `body` as a group: on one line, or broken at all its lines.
    pub(super) fn group(&mut self, body: impl FnOnce(&mut Self)) {
        self.pieces.push(FormatPiece::Open);
        body(self);
        self.pieces.push(FormatPiece::Close);
    }

    /// Places the comments of a gap: on the line of the token before it, or before `next`.
    fn weave(&mut self, gap: &[GapComment<'a>], next: &str) {
        // 1. Part the comments: those that stay on the line of the token before, and the
        // others.
        let ends = matches!(next, ")" | "]" | "}" | ";" | ",");
        let n_behind = if ends {
            // Inside the bracket rather than on the line of its end.
            gap.len()
        } else {
            self.count_behind_last(gap)
        };
        let (behind, before) = gap.split_at(n_behind);
        // 2. The first ones go in front of the blanks and breaks that wait for the next token.
        let waiting = self.pieces.split_off(self.end_of_last_groups());
        for (idx, comment) in behind.iter().enumerate() {
            let tight = idx == 0 && self.last_is_tight();
            self.comment(comment, tight);
        }
        // 3. Behind these the others; what hung out, such as an operator, still does.
        let hang = hang_of(&waiting);
        let separated = waiting.iter().any(|piece| match piece {
            FormatPiece::Blank | FormatPiece::Newline => true,
            FormatPiece::Line(line) => line.blank,
            _ => false,
        });
        self.pieces.extend(waiting);
        for (idx, comment) in before.iter().enumerate() {
            let tight = idx == 0 && (separated || self.last_is_tight());
            self.comment(comment, tight);
        }
        if let Some(FormatPiece::Continue(columns)) = self.pieces.last_mut() {
            *columns = hang;
        }
        if !before.is_empty() || !(separated || ends) {
            self.blank();
        }
    }

    /// Behind the groups that end with the last token: a comment there does not break them.
    fn end_of_last_groups(&self) -> usize {
        let waiting = &self.pieces[self.token_end..];
        let is_tight = |piece: &&FormatPiece<'_>| {
            !matches!(
                piece,
                FormatPiece::Blank | FormatPiece::Newline | FormatPiece::Line(_)
            )
        };
        let tight = &waiting[..waiting.iter().take_while(is_tight).count()];
        let last_close = tight
            .iter()
            .rposition(|piece| matches!(piece, FormatPiece::Close));
        self.token_end + last_close.map_or(0, |at| at + 1)
    }

    /// How many comments of a gap stay on the line of the last token.
    fn count_behind_last(&self, gap: &[GapComment<'a>]) -> usize {
        if self.last.is_empty() {
            return 0;
        }
        let opens = self.last_is_tight();
        let stays =
            |comment: &&GapComment<'_>| !comment.newline_before && (comment.is_line() || !opens);
        gap.iter().take_while(stays).count()
    }

    /// Whether no blank follows the last token.
    fn last_is_tight(&self) -> bool {
        matches!(self.last, "(" | "[" | "{")
    }

    fn comment(&mut self, comment: &GapComment<'a>, tight: bool) {
        let newline = if self.in_body {
            FormatPiece::Continue(0)
        } else {
            FormatPiece::Newline
        };
        if comment.is_alone() {
            self.pieces.push(newline);
        } else if !tight {
            self.blank();
        }
        self.pieces.push(if comment.is_line() {
            FormatPiece::LineComment(comment.text)
        } else {
            FormatPiece::Text(comment.text)
        });
        if comment.is_line() || comment.is_alone() {
            self.pieces.push(newline);
        }
    }
}

/// By how much the token behind `waiting` hangs out if it starts a line.
fn hang_of(waiting: &[FormatPiece<'_>]) -> usize {
    let hangs = waiting.iter().map(|piece| match piece {
        FormatPiece::Line(line) => line.hang,
        _ => 0,
    });
    hangs.max().unwrap_or(0)
}

/// Whether a name can be written without backquotes.
pub(super) fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|c| c == '_' || starts_name(c));
    starts && chars.all(continues_name) && !RESERVED.contains(&name)
}

fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || (!c.is_ascii() && pest::unicode::XID_START(c))
}

fn continues_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || (!c.is_ascii() && pest::unicode::XID_CONTINUE(c))
}
