//! Tokens of a text, read by hand.
//!
//! Pest reads statements without a token list. Two readers need one: the
//! formatter, to know between which tokens a comment stands, and the messages
//! about broken statements, which name what was found. Any text has tokens;
//! what belongs to no token of the language is a [`TokenKind::Mark`].

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a reserved word.
    Word,
    /// `12`, `0.3`, `1e-5`
    Number,
    /// `"text"`
    Text,
    /// A name in backquotes.
    Quoted,
    /// `/// text`
    Doc,
    /// An operator, a bracket or anything else.
    Mark,
}

/// A token by its place in the text it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

/// Operators of two characters; every other mark is one character.
const LONG_MARKS: &[&str] = &["..", "<=", ">=", "!=", "==", "&&", "||", ":="];

/// Reads the tokens of `text`, blanks and comments left out.
pub(crate) fn tokens(text: &str) -> SourceTokens<'_> {
    SourceTokens { text, at: 0 }
}

/// Whether `c` can belong to a word. All characters beyond ASCII are taken
/// for letters here; the grammar is stricter and says so.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !(c.is_ascii() || c.is_whitespace() || is_blank(c))
}

/// Whether `c` separates tokens, as in the grammar; a byte order mark does, wherever it stands.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{feff}')
}

/// Length of the comment at the start of `text`, if one stands there.
fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("/*") {
        return Some(block_comment_length(text));
    }
    let is_doc = text.starts_with("///") && !text.starts_with("////");
    (text.starts_with("//") && !is_doc).then(|| line_length(text))
}

/// Length of a block comment with those inside it; the whole text if it is not closed.
fn block_comment_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, 0);
    while let Some(pair) = bytes.get(at..at + 2) {
        match pair {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

pub(crate) struct SourceTokens<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for SourceTokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let (kind, length) = token_at(rest)?;
        let start = self.at;
        self.at += length;
        Some(Token {
            kind,
            start,
            end: self.at,
        })
    }
}

impl SourceTokens<'_> {
    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start_matches(is_blank);
            self.at += rest.len() - trimmed.len();
            match comment_length(trimmed) {
                Some(length) => self.at += length,
                None => return,
            }
        }
    }
}

fn token_at(rest: &str) -> Option<(TokenKind, usize)> {
    let first = rest.chars().next()?;
    Some(match first {
        '/' if rest.starts_with("///") => {
            (TokenKind::Doc, rest[..line_length(rest)].trim_end().len())
        }
        '"' => (TokenKind::Text, quoted_length(rest, '"')),
        '`' => (TokenKind::Quoted, quoted_length(rest, '`')),
        '0'..='9' => (TokenKind::Number, number_length(rest)),
        _ if is_word_char(first) => (TokenKind::Word, word_length(rest)),
        _ => (TokenKind::Mark, mark_length(rest, first)),
    })
}

pub(crate) fn word_length(rest: &str) -> usize {
    rest.find(|c| !is_word_char(c)).unwrap_or(rest.len())
}

fn mark_length(rest: &str, first: char) -> usize {
    if LONG_MARKS.iter().any(|mark| rest.starts_with(mark)) {
        2
    } else {
        first.len_utf8()
    }
}

/// Up to the closing quote; to the end of the line if there is none.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => _ = chars.next(),
            '\n' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Digits, then a point with digits, then an exponent with digits.
fn number_length(rest: &str) -> usize {
    let digits = |from: usize| {
        let tail = &rest[from..];
        tail.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(tail.len())
    };
    // A point or an exponent belongs to the number only if digits follow.
    let mut length = digits(0);
    if rest[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if rest[length..].starts_with(['e', 'E']) {
        let signed = rest[length + 1..].starts_with(['+', '-']);
        let from = length + 1 + usize::from(signed);
        if digits(from) > 0 {
            length = from + digits(from);
        }
    }
    length
}
