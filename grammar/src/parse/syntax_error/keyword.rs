//! Mistakes in the first word of a statement and in reserved words.

use super::super::token::TokenKind;
use super::super::{RESERVED, STARTERS};
use super::Mistake;
use super::fault::{SyntaxFault, quote};
use crate::diagnostic::{SourceDiagnostic, quoted_list};

/// In the order in which they are tried.
pub(super) const MISTAKES: &[Mistake] = &[
    query_with_frame,
    nothing_documented,
    misplaced_doc,
    empty_statement,
    unknown_statement,
    for_in_expression,
    reserved_name,
];

/// Keywords of other languages, with those that do the same here.
const FOREIGN: &[(&str, &str)] = &[
    ("let", "const"),
    ("constant", "const"),
    ("variable", "var"),
    ("parameter", "param"),
    ("weight", "param"),
    ("import", "use"),
    ("include", "use"),
    ("fn", "def"),
    ("func", "def"),
    ("function", "def"),
    ("output", "root"),
    ("return", "root"),
];

/// `query P(a)` or `P(a);` where only `P(a)` is asked for.
fn query_with_frame(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if !fault.is_query {
        return None;
    }
    let (idx, what) = match fault.here() {
        "query" if fault.at == 0 => (0, "`query`"),
        ";" => (fault.at, "`;`"),
        _ => return None,
    };
    let message = format!("a query on its own has no {what}");
    let repair = "leave it out";
    let diagnostic = fault.error(idx, message, "not needed here");
    Some(diagnostic.suggest(repair, fault.span(idx), ""))
}

/// A doc comment or attribute at the end of the file.
fn nothing_documented(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if !(fault.at_semicolon() && fault.expected.is_statement() && fault.at > 0) {
        return None;
    }
    if fault.kind_before() != Some(TokenKind::Doc) {
        let at = (0..fault.at).rev().find(|&idx| fault.word(idx) == "@")?;
        let name = quote(&format!("@{}", fault.word(at + 1)));
        let message = format!("attribute {name} stands before no statement");
        let diagnostic = fault.error(at, message, "nothing follows it");
        return Some(diagnostic.help("put it before the statement it belongs to"));
    }
    let doc = fault.at - 1;
    let message = "this doc comment stands before no statement";
    let diagnostic = fault.error(doc, message, "documents nothing");
    Some(as_ordinary_comment(fault, doc, diagnostic))
}

/// Offers to take the third slash off the doc comment at a token.
fn as_ordinary_comment(
    fault: &SyntaxFault<'_>,
    doc: usize,
    diagnostic: SourceDiagnostic,
) -> SourceDiagnostic {
    let start = fault.tokens[doc].start;
    let slashes = fault.place(start, start + 3);
    diagnostic.suggest("make it an ordinary comment", slashes, "//")
}

/// `///` inside a statement.
fn misplaced_doc(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if fault.kind(fault.at) != Some(TokenKind::Doc) {
        return None;
    }
    let message = if fault.expected.is_statement() {
        "a doc comment stands before the attributes of its statement"
    } else {
        "a doc comment cannot stand inside a statement"
    };
    let diagnostic = fault.error_here(message, "`///` documents the statement that follows");
    Some(as_ordinary_comment(fault, fault.at, diagnostic))
}

/// `;` alone.
fn empty_statement(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if fault.tokens.len() != 1 || fault.here() != ";" {
        return None;
    }
    let diagnostic = fault.error(0, "this `;` ends no statement", "nothing stands before it");
    Some(diagnostic.suggest("remove it", fault.span(0), ""))
}

/// A statement that begins with no keyword, or with a misspelt one.
fn unknown_statement(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    // Of a word that begins like a keyword, such as `variable`, pest has read a part.
    let is_first = (0..fault.at).all(|idx| fault.kind(idx) == Some(TokenKind::Doc));
    if !(fault.expected.is_statement() || is_first) {
        return None;
    }
    let word = fault.here();
    let span = fault.span(fault.at);
    if word == "for" {
        let diagnostic = fault.error_here("there is no `for` statement", "expected a statement");
        return Some(diagnostic.help(
            "repeat a node with `node z[k in 0..K] = …;`, or terms with `sum k in 0..K { … }`",
        ));
    }
    if fault.kind(fault.at) != Some(TokenKind::Word) || RESERVED.contains(&word) {
        return None;
    }
    let next_is_name = matches!(fault.kind(fault.at + 1), Some(kind) if kind != TokenKind::Mark);
    if let Some(keyword) = intended_keyword(word).filter(|_| next_is_name || word == "root") {
        let word = quote(word);
        let message = format!("unknown statement {word}; did you mean `{keyword}`?");
        let repair = format!("write `{keyword}`");
        let diagnostic = fault.error_here(message, "no statement begins so");
        return Some(diagnostic.suggest(repair, span, keyword));
    }
    let message = format!(
        "a statement begins with a keyword, and {} is none",
        quote(word)
    );
    let diagnostic = fault.error_here(message, "expected a statement");
    Some(match fault.word(fault.at + 1) {
        "=" | "[" | ":=" => diagnostic.suggest("define a node", span.before(), "node "),
        ":" | "," => diagnostic.suggest("declare a variable", span.before(), "var "),
        _ => diagnostic.help(format!("the statements are {}", quoted_list(STARTERS))),
    })
}

/// `[a[k] for k in 0..K]`, `sum for k in 0..K { … }`
fn for_in_expression(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let at = match (fault.here(), fault.back(1)) {
        ("for", _) => fault.at,
        (_, "for") => fault.at - 1,
        _ => return None,
    };
    if !fault.expected.is_operator() && !fault.expected.has("in") {
        return None;
    }
    let message = "there is no `for` in expressions";
    let diagnostic = fault.error(at, message, "not part of the language");
    Some(diagnostic.help("repeat with `sum k in 0..K { … }` or `prod k in 0..K { … }`"))
}

/// The keyword that a word is a foreign or misspelt form of.
fn intended_keyword(word: &str) -> Option<&'static str> {
    // First words of other languages, then the keyword that is spelt nearly so.
    let lower = word.to_lowercase();
    if let Some((_, keyword)) = FOREIGN.iter().find(|(foreign, _)| *foreign == lower) {
        return Some(keyword);
    }
    let distance = |keyword: &&&str| strsim::damerau_levenshtein(&lower, keyword);
    // A long word is no slip of the pen, and the distance is quadratic in its length.
    let candidates = STARTERS.iter().filter(|_| lower.len() <= 16);
    let nearest = candidates.min_by_key(distance)?;
    (distance(&nearest) <= 1 + usize::from(nearest.len() > 4)).then_some(nearest)
}

/// A reserved word where a name is expected.
fn reserved_name(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let word = fault.here();
    let expected = &fault.expected;
    let wants_name = expected.is_unknown() || expected.is_name() || expected.is_expression();
    if !RESERVED.contains(&word) || !wants_name {
        return None;
    }
    let message = format!("`{word}` is a reserved word and cannot be a name as it stands");
    let repair = "put it in backquotes to use it as a name";
    let diagnostic = fault.error_here(message, format!("`{word}` has a meaning of its own"));
    Some(diagnostic.suggest(repair, fault.span(fault.at), format!("`{word}`")))
}
