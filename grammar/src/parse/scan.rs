//! Cuts a text into statements.
//!
//! A statement ends at a `;` outside brackets. The words that begin a
//! statement are reserved, so one of them in the middle of another statement
//! means that a `;` or a bracket is missing before it: the text is cut there
//! too, and the damage stays in one statement. Where an operand is due on the
//! same line the word is rather a name that lacks its backquotes; it stays in
//! the statement, whose message says so.

use super::token::{is_blank, is_word_char, word_length};
use super::{RESERVED, STARTERS};
use crate::ast::Comment;
use crate::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};
use crate::source::{Source, SourceId, Span};

/// Some editors write it at the start of a file; it counts as a blank.
const BYTE_ORDER_MARK: char = '\u{feff}';

#[derive(Default)]
pub(super) struct StatementScan {
    /// Statements, each from its first doc comment or attribute to its `;`.
    pub statements: Vec<Span>,
    /// Places of statements that were reported and left out.
    pub broken: Vec<Span>,
    pub comments: Vec<Comment>,
    /// Deepest nesting of brackets or block comments.
    pub depth: usize,
}

/// Cuts `source` into statements.
pub(super) fn scan(
    source: &Source,
    max_depth: usize,
    found: &mut SourceDiagnostics,
) -> StatementScan {
    let mut scanner = Scanner::new(source, max_depth, found);
    scanner.run();
    scanner.result
}

/// Checks a text that is no file, such as a query on the command line, for what would stop the
/// grammar; `None` if something was reported.
pub(super) fn scan_fragment(
    source: &Source,
    max_depth: usize,
    found: &mut SourceDiagnostics,
) -> Option<StatementScan> {
    let before = found.len();
    let mut scanner = Scanner::new(source, max_depth, found);
    scanner.fragment = true;
    scanner.run();
    let scan = scanner.result;
    (found.len() == before).then_some(scan)
}

struct Scanner<'a> {
    text: &'a str,
    id: SourceId,
    max_depth: usize,
    found: &'a mut SourceDiagnostics,
    result: StatementScan,
    /// The text is a fragment: nothing is cut.
    fragment: bool,
    at: usize,
    /// Where the statement being read starts, if one is.
    start: Option<usize>,
    /// End of the last token of that statement.
    end: usize,
    /// Whether the keyword of the statement being read has been seen.
    keyword_seen: bool,
    /// Doc comments up to here stand inside a statement.
    inner_docs_end: usize,
    /// Where brackets were opened, innermost last.
    open: Vec<usize>,
    /// Whether this statement has been reported already and is to be left out.
    broken: bool,
}

impl<'a> Scanner<'a> {
    fn new(source: &'a Source, max_depth: usize, found: &'a mut SourceDiagnostics) -> Self {
        Scanner {
            text: source.text(),
            id: source.id(),
            max_depth,
            found,
            result: StatementScan::default(),
            fragment: false,
            at: 0,
            start: None,
            end: 0,
            keyword_seen: false,
            inner_docs_end: 0,
            open: Vec::new(),
            broken: false,
        }
    }

    fn run(&mut self) {
        while let Some(byte) = self.text.as_bytes().get(self.at).copied() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.rest().starts_with("//") => self.line_comment(),
                b'/' if self.rest().starts_with("/*") => self.block_comment(),
                b'"' => self.quoted(b'"', "string"),
                b'`' => self.quoted(b'`', "name in backquotes"),
                b'(' | b'[' | b'{' => self.open_bracket(),
                b')' | b']' | b'}' => self.close_bracket(),
                b';' => self.semicolon(),
                // An attribute begins the next statement: this one lacks its `;`.
                b'@' if self.keyword_seen && !self.fragment => self.finish(),
                _ if byte >= 0x80 && self.rest().starts_with(BYTE_ORDER_MARK) => {
                    self.at += BYTE_ORDER_MARK.len_utf8();
                }
                _ if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 => self.word(),
                0..=0x1f | 0x7f => self.control_character(byte),
                _ => self.token(self.at + 1),
            }
        }
        self.finish();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.id, start, end)
    }

    /// Takes everything up to `end` as part of the current statement.
    fn token(&mut self, end: usize) {
        self.start.get_or_insert(self.at);
        self.at = end;
        self.end = end;
    }

    fn line_comment(&mut self) {
        let rest = self.rest();
        let length = rest.find('\n').unwrap_or(rest.len());
        let is_doc = rest.starts_with("///") && !rest.starts_with("////");
        let end = self.at + length;
        if is_doc {
            if self.keyword_seen && self.open.is_empty() && self.documents_statement(end) {
                self.finish();
            }
            self.token(end);
        } else {
            self.comment(end);
        }
    }

    /// Whether a statement follows the doc comments at and behind `end`. If not, they stand in
    /// the middle of one, and its message says so.
    fn documents_statement(&mut self, end: usize) -> bool {
        if end <= self.inner_docs_end {
            return false;
        }
        let mut at = end;
        for line in self.text[end..].split_inclusive('\n') {
            let start = line.trim_start();
            if !(start.is_empty() || start.starts_with("//")) {
                break;
            }
            at += line.len();
        }
        let documents = starts_statement_or_ends(self.text, at);
        if !documents {
            self.inner_docs_end = at;
        }
        documents
    }

    fn comment(&mut self, end: usize) {
        let text = self.text[self.at..end].trim_end();
        self.result.comments.push(Comment {
            text: text.to_string(),
            span: self.span(self.at, self.at + text.len()),
        });
        self.at = end;
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        let mut at = start;
        loop {
            match bytes.get(at..at + 2) {
                Some(b"/*") => {
                    depth += 1;
                    at += 2;
                }
                Some(b"*/") => {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        break;
                    }
                }
                Some(_) => at += 1,
                None => return self.unclosed_to_end(start, start + 2, "comment", "*/"),
            }
            if depth > self.max_depth {
                self.report_too_deep(at - 2);
                return self.give_up_at(start);
            }
            self.result.depth = self.result.depth.max(depth);
        }
        self.comment(at);
    }

    fn quoted(&mut self, quote: u8, what: &str) {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\n' => break,
                b'\\' if quote == b'"' => at += 2,
                _ if byte == quote => return self.token(at + 1),
                _ => at += 1,
            }
        }
        // A backslash at the end of the text, or before a long character, has led astray.
        let at = self.text.ceil_char_boundary(at);
        let message = format!("this {what} is not closed on its line");
        let diagnostic = SourceDiagnostic::new(Code::Unclosed, self.span(self.at, at), message);
        self.report(diagnostic.at(format!("the closing `{}` is missing", quote as char)));
        self.token(at);
    }

    fn unclosed_to_end(&mut self, start: usize, mark_end: usize, what: &str, closer: &str) {
        let message = format!("this {what} is never closed");
        let diagnostic = SourceDiagnostic::new(Code::Unclosed, self.span(start, mark_end), message)
            .at(format!("opened here, and no `{closer}` follows"))
            .help(format!("close it with `{closer}`; block comments nest"));
        self.report(diagnostic);
        self.give_up_at(start);
    }

    /// Leaves the rest of the text unread. It counts as broken, so that names
    /// and the root that may stand in it are not missed.
    fn give_up_at(&mut self, start: usize) {
        self.result.broken.push(self.span(start, self.text.len()));
        self.at = self.text.len();
    }

    fn open_bracket(&mut self) {
        self.open.push(self.at);
        if self.open.len() > self.max_depth {
            self.report_too_deep(self.at);
            // What follows cannot be read within the limit; look for the next statement.
            self.open.clear();
            let next = next_statement(self.text, self.at).unwrap_or(self.text.len());
            return self.token(next);
        }
        self.result.depth = self.result.depth.max(self.open.len());
        self.token(self.at + 1);
    }

    /// Interval brackets need not match in kind, `[10, 20)`, so only the count is kept here;
    /// the grammar checks the kinds.
    fn close_bracket(&mut self) {
        if self.open.pop().is_none() {
            let span = self.span(self.at, self.at + 1);
            let message = format!("this `{}` closes nothing", &self.text[span.range()]);
            let diagnostic = SourceDiagnostic::new(Code::Unclosed, span, message)
                .at("no bracket is open here")
                .suggest("remove it", span, "");
            self.report(diagnostic);
        }
        self.token(self.at + 1);
    }

    fn semicolon(&mut self) {
        self.token(self.at + 1);
        // A statement behind open brackets means that they were left open; `finish` reports them.
        let ends = self.open.is_empty() || starts_statement_or_ends(self.text, self.at);
        if ends && !self.fragment {
            self.finish();
        }
    }

    fn word(&mut self) {
        let rest = self.rest();
        let length = word_length(rest);
        // A character that is no letter is a token of its own, which the grammar refuses.
        let length = length.max(rest.chars().next().map_or(1, char::len_utf8));
        // A word that begins a statement ends the one before it, unless an operand is due.
        if STARTERS.contains(&&rest[..length]) && !self.fragment && !self.operand_is_due() {
            if self.keyword_seen {
                self.finish();
            }
            self.keyword_seen = true;
        }
        self.token(self.at + length);
    }

    /// Whether the last token asks for a name or an operand: on this line or, as `assert root` is
    /// legal, after `assert`.
    fn operand_is_due(&self) -> bool {
        let Some(start) = self.start.filter(|_| self.keyword_seen) else {
            return false;
        };
        // What stands before the word: a mark that joins, or a word that a name follows.
        let before = &self.text[start..self.end];
        let is_mark = before.ends_with(|c: char| "([{,+-*/%^:=<>!&|~?.".contains(c));
        let word_start = before.rfind(|c| !is_word_char(c)).map_or(0, |at| at + 1);
        let word = before.get(word_start..).unwrap_or("");
        let is_value = matches!(word, "true" | "false" | "inf");
        let is_keyword = RESERVED.contains(&word) && !is_value;
        let same_line = !self.text[self.end..self.at].contains('\n');
        word == "assert" || same_line && (is_mark || is_keyword)
    }

    fn control_character(&mut self, byte: u8) {
        let span = self.span(self.at, self.at + 1);
        let message = format!("the control character {byte:#04x} cannot stand in a circuit");
        let diagnostic = SourceDiagnostic::new(Code::Syntax, span, message)
            .at("here")
            .help("remove it; if the file is full of them it may not be a text file");
        self.report(diagnostic);
        self.token(self.at + 1);
    }

    fn report(&mut self, diagnostic: SourceDiagnostic) {
        // One fault of this kind a statement: what follows it is a consequence.
        if !self.broken {
            self.found.push(diagnostic);
        }
        self.broken = true;
    }

    fn report_too_deep(&mut self, at: usize) {
        let diagnostic = super::too_deep(self.span(at, at + 1), self.max_depth);
        self.report(diagnostic);
    }

    fn never_closed(&self, at: usize) -> SourceDiagnostic {
        let read = &self.text[..self.end];
        let end = read.strip_suffix(';').map_or(read.len(), str::len);
        let opener = &self.text[at..at + 1];
        let closer = closer_of(opener);
        let message = format!("this `{opener}` is never closed");
        let diagnostic = SourceDiagnostic::new(Code::Unclosed, self.span(at, at + 1), message)
            .at("opened here")
            .label(self.span(end, end), "the statement ends here");
        match self.open.len() {
            1 => diagnostic.suggest("close it", self.span(end, end), closer),
            _ => diagnostic.help(format!("close it with `{closer}`")),
        }
    }

    fn finish(&mut self) {
        // One message for all brackets that are open, at the outermost.
        if let Some(&at) = self.open.first() {
            let diagnostic = self.never_closed(at);
            self.report(diagnostic);
        }
        if let Some(start) = self.start
            && !self.fragment
        {
            let span = self.span(start, self.end);
            if self.broken {
                self.result.broken.push(span)
            } else {
                self.result.statements.push(span)
            }
        }
        self.open.clear();
        self.start = None;
        self.keyword_seen = false;
        self.broken = false;
    }
}

pub(super) fn closer_of(opener: &str) -> &'static str {
    match opener {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// Where the next line that begins a statement starts, after `from`.
fn next_statement(text: &str, from: usize) -> Option<usize> {
    let mut lines = text[from..]
        .match_indices('\n')
        .map(|(at, _)| from + at + 1);
    lines.find(|&line| starts_statement(text[line..].trim_start_matches([' ', '\t'])))
}

/// Whether, blanks aside, a statement, a comment or nothing at all follows.
fn starts_statement_or_ends(text: &str, from: usize) -> bool {
    let rest = text[from..].trim_start_matches(is_blank);
    rest.is_empty() || starts_statement(rest) || rest.starts_with("//") || rest.starts_with("/*")
}

/// Whether a statement's keyword, documentation or attribute stands at the start of `text`.
fn starts_statement(text: &str) -> bool {
    let word = &text[..word_length(text)];
    text.starts_with('@') || text.starts_with("///") || STARTERS.contains(&word)
}
