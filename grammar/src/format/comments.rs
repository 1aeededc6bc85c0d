//! Between which tokens of a statement its comments stand.

use crate::ast::Comment;
use crate::parse::token::{SourceTokens, Token, TokenKind, tokens};
use std::iter::Peekable;

#[derive(Clone, Copy, Debug)]
pub(super) struct GapComment<'a> {
    pub text: &'a str,
    /// Whether it starts on a later line than what stands before it.
    pub newline_before: bool,
    /// Whether what stands behind it starts on a later line.
    pub newline_after: bool,
}

impl GapComment<'_> {
    /// Whether it runs to the end of its line.
    pub(super) fn is_line(&self) -> bool {
        self.text.starts_with("//")
    }

    pub(super) fn is_alone(&self) -> bool {
        self.newline_before && self.newline_after
    }
}

/// The comments inside one statement and its tokens as written.
///
/// The formatter writes the same tokens in the same order, apart from a few
/// that it leaves out or spells differently; [`CommentGaps::before`] keeps in step.
pub(super) struct CommentGaps<'a> {
    text: &'a str,
    /// Where the statement starts in its source.
    offset: usize,
    tokens: Peekable<SourceTokens<'a>>,
    /// Comments that have not been handed out.
    comments: &'a [Comment],
    /// End of the last token or comment passed.
    end: usize,
}

impl<'a> CommentGaps<'a> {
    /// The gaps of the statement `text`, which starts at `offset` in its source.
    pub(super) fn new(text: &'a str, offset: usize, comments: &'a [Comment]) -> Self {
        CommentGaps {
            text,
            offset,
            tokens: tokens(text).peekable(),
            comments,
            end: 0,
        }
    }

    /// Takes the comments between the token written last and the one about to be written.
    pub(super) fn before(&mut self, written: &str) -> Vec<GapComment<'a>> {
        let mut gap = Vec::new();
        // Tokens that the formatter leaves out are passed, with the comments before them.
        while let Some(token) = self.tokens.next() {
            self.take_until(token.start, &mut gap);
            self.end = token.end;
            if self.matches(token, written) {
                break;
            }
        }
        gap
    }

    /// Takes the comments that stand before `limit`.
    fn take_until(&mut self, limit: usize, gap: &mut Vec<GapComment<'a>>) {
        // Whether there were line ends on either side decides later where the comment may
        // stand.
        while let Some((comment, rest)) = self.comments.split_first() {
            let start = comment.span.start as usize - self.offset;
            if start >= limit {
                return;
            }
            self.comments = rest;
            let end = comment.span.end as usize - self.offset;
            let next = rest.first().map_or(limit, |next| {
                (next.span.start as usize - self.offset).min(limit)
            });
            gap.push(GapComment {
                text: &comment.text,
                newline_before: self.text[self.end..start].contains('\n'),
                newline_after: self.text[end..next].contains('\n'),
            });
            self.end = end;
        }
    }

    /// Whether `token` is the one being written. Trailing commas and the parentheses of an
    /// attribute without arguments are not written; words, names, texts and numbers always are,
    /// if in another spelling.
    fn matches(&self, token: Token, written: &str) -> bool {
        let text = &self.text[token.start..token.end];
        let starts_mark = |c: char| c.is_ascii_punctuation() && !"_`\"".contains(c);
        let is_mark = written.starts_with(starts_mark) && !written.starts_with("///");
        if token.kind != TokenKind::Mark {
            return !is_mark;
        }
        let is_equality = |mark| matches!(mark, "=" | "==");
        is_mark && (text == written || is_equality(text) && is_equality(written))
    }
}
