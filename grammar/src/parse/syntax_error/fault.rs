//! The token at fault and its surroundings.

use super::super::token::{Token, TokenKind};
use super::super::{RESERVED, STARTERS};
use super::expected::ExpectedTokens;
use crate::diagnostic::{Code, SourceDiagnostic};
use crate::source::{SourceId, Span};

/// A broken statement: its tokens, and which of them cannot be where it is.
pub(super) struct SyntaxFault<'a> {
    pub source: SourceId,
    /// Where the statement starts in its source.
    pub offset: usize,
    /// The statement.
    pub text: &'a str,
    pub tokens: Vec<Token>,
    /// Index of the token at fault; the number of tokens if the statement ends too early.
    pub at: usize,
    /// What could have stood there.
    pub expected: ExpectedTokens,
    /// Whether this is a query on its own rather than a statement of a file.
    pub is_query: bool,
}

impl SyntaxFault<'_> {
    /// The text of a token, empty beyond both ends.
    pub(super) fn word(&self, idx: usize) -> &str {
        let token = self.tokens.get(idx);
        token.map_or("", |token| &self.text[token.start..token.end])
    }

    pub(super) fn here(&self) -> &str {
        self.word(self.at)
    }

    /// The text of the token so many places before the one at fault.
    pub(super) fn back(&self, n: usize) -> &str {
        self.at.checked_sub(n).map_or("", |idx| self.word(idx))
    }

    pub(super) fn kind(&self, idx: usize) -> Option<TokenKind> {
        self.tokens.get(idx).map(|token| token.kind)
    }

    /// The kind of the token before the one at fault.
    pub(super) fn kind_before(&self) -> Option<TokenKind> {
        self.at.checked_sub(1).and_then(|idx| self.kind(idx))
    }

    /// The place of a token; just behind the last one if there is no such token.
    pub(super) fn span(&self, idx: usize) -> Span {
        match (self.tokens.get(idx), self.tokens.last()) {
            (Some(token), _) => self.place(token.start, token.end),
            (None, Some(last)) => self.place(last.end, last.end),
            (None, None) => self.place(0, self.text.len()),
        }
    }

    /// A place given by offsets in the statement.
    pub(super) fn place(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.offset + start, self.offset + end)
    }

    /// Whether the statement ends where it cannot.
    pub(super) fn at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Whether nothing of the statement but its `;` is left.
    pub(super) fn at_semicolon(&self) -> bool {
        self.at_end() || self.here() == ";"
    }

    /// Whether two neighbouring tokens have nothing between them.
    pub(super) fn touch(&self, left: usize) -> bool {
        let (left, right) = (self.tokens.get(left), self.tokens.get(left + 1));
        left.zip(right)
            .is_some_and(|(left, right)| left.end == right.start)
    }

    /// Whether the token at fault starts a line.
    pub(super) fn on_new_line(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|idx| self.tokens.get(idx));
        let pair = before.zip(self.tokens.get(self.at));
        pair.is_some_and(|(before, here)| self.text[before.end..here.start].contains('\n'))
    }

    /// Whether an expression could start with the token at `idx`.
    pub(super) fn starts_expression(&self, idx: usize) -> bool {
        match self.kind(idx) {
            None | Some(TokenKind::Doc) => false,
            Some(TokenKind::Mark) => matches!(self.word(idx), "(" | "[" | "{" | "?" | "!"),
            Some(TokenKind::Word) => {
                let word = self.word(idx);
                !RESERVED.contains(&word)
                    || matches!(word, "sum" | "prod" | "if" | "true" | "false" | "inf")
            }
            Some(_) => true,
        }
    }

    /// The keyword the statement begins with, documentation and attributes aside.
    pub(super) fn keyword(&self) -> &str {
        let mut words = (0..self.tokens.len()).map(|idx| self.word(idx));
        words.find(|word| STARTERS.contains(word)).unwrap_or("")
    }

    /// Whether the statement holds numbers rather than circuits.
    pub(super) fn is_arithmetic(&self) -> bool {
        matches!(self.keyword(), "const" | "param" | "var")
    }

    /// The brackets that are open before the token at `idx`, as token indices.
    pub(super) fn open_brackets(&self, idx: usize) -> Vec<usize> {
        let mut open = Vec::new();
        for at in 0..idx.min(self.tokens.len()) {
            match self.word(at) {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => _ = open.pop(),
                _ => {}
            }
        }
        open
    }

    pub(super) fn found(&self) -> String {
        if self.at_semicolon() {
            "the end of the statement".to_string()
        } else {
            quote(self.here())
        }
    }

    pub(super) fn error_here(
        &self,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> SourceDiagnostic {
        self.error(self.at, message, label)
    }

    /// A message at the token `idx`; `label` says what is to be seen there.
    pub(super) fn error(
        &self,
        idx: usize,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> SourceDiagnostic {
        self.error_at(self.span(idx), message, label)
    }

    pub(super) fn error_at(
        &self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> SourceDiagnostic {
        SourceDiagnostic::new(Code::Syntax, span, message).at(label)
    }
}

/// A token in backquotes, cut if it is long.
pub(super) fn quote(text: &str) -> String {
    const LONGEST: usize = 32;
    let text = text.trim_matches('`');
    match text.char_indices().nth(LONGEST) {
        None => format!("`{text}`"),
        Some((cut, _)) => format!("`{}…`", &text[..cut]),
    }
}
