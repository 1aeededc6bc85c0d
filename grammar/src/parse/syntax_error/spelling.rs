//! Tokens that are spelt otherwise here: characters, numbers and foreign operators.

use super::super::token::TokenKind;
use super::Mistake;
use super::fault::{SyntaxFault, quote};
use crate::diagnostic::SourceDiagnostic;
use crate::source::Span;

/// In the order in which they are tried.
pub(super) const MISTAKES: &[Mistake] = &[
    foreign_character,
    point_without_digits,
    number_with_letters,
    split_operator,
    closed_range,
    foreign_operator,
    word_operator,
];

/// Characters that look like, or mean, something of the language.
const LOOKALIKES: &[(char, &str)] = &[
    ('×', "*"),
    ('·', "*"),
    ('∗', "*"),
    ('÷', "/"),
    ('−', "-"),
    ('–', "-"),
    ('—', "-"),
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('∈', "in"),
    ('¬', "!"),
    ('∧', "&&"),
    ('∨', "||"),
    ('∞', "inf"),
    ('∼', "~"),
    ('…', ".."),
    ('“', "\""),
    ('”', "\""),
    ('„', "\""),
    ('‘', "\""),
    ('’', "\""),
    ('\'', "\""),
    ('#', "//"),
    ('\u{a0}', " "),
    ('：', ":"),
    ('；', ";"),
    ('，', ","),
];

/// Operators of other languages, as two tokens, with those that do the same here.
const FOREIGN: &[(&str, &str, &str)] = &[
    ("*", "*", "^"),
    ("=", ">", ">="),
    ("=", "<", "<="),
    ("<", ">", "!="),
    ("==", "=", "=="),
    ("!=", "=", "!="),
    ("..", ".", ".."),
];

/// `×`, `≤`, quotes from a word processor.
fn foreign_character(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let first = fault.here().chars().next()?;
    let (_, meant) = LOOKALIKES.iter().find(|(c, _)| *c == first)?;
    let start = fault.tokens[fault.at].start;
    let span = fault.place(start, start + first.len_utf8());
    let message = match first {
        '\u{a0}' => "a no-break space cannot stand here".to_string(),
        '#' => "a comment begins with `//`, not with `#`".to_string(),
        _ if *meant == "\"" => "a text stands in straight double quotes".to_string(),
        _ => format!("`{first}` is written `{meant}`"),
    };
    let repair = match first {
        '\u{a0}' => "write an ordinary blank".to_string(),
        _ => format!("write `{meant}`"),
    };
    let mut edits = vec![(span, meant.to_string())];
    if *meant == "\"" {
        let closing = closing_quote(fault, start + first.len_utf8());
        edits.extend(closing.map(|span| (span, meant.to_string())));
    }
    let diagnostic = fault.error_at(span, message, "not part of the language");
    Some(diagnostic.suggest_edits(repair, edits))
}

/// The next quote of any kind on the line.
fn closing_quote(fault: &SyntaxFault<'_>, from: usize) -> Option<Span> {
    let line = fault.text[from..].lines().next()?;
    let (at, quote) = line.char_indices().find(|(_, c)| "'\"“”„‘’".contains(*c))?;
    Some(fault.place(from + at, from + at + quote.len_utf8()))
}

/// `1.` and `.5`
fn point_without_digits(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if fault.here() != "." {
        return None;
    }
    let point = fault.span(fault.at);
    if fault.expected.is_expression()
        && fault.touch(fault.at)
        && fault.kind(fault.at + 1) == Some(TokenKind::Number)
    {
        let digits = fault.word(fault.at + 1);
        let message = format!("a number cannot begin with its point: write `0.{digits}`");
        let span = point.to(fault.span(fault.at + 1));
        let diagnostic = fault.error_at(span, message, "a digit is missing before the point");
        return Some(diagnostic.suggest("insert it", point.before(), "0"));
    }
    if fault.kind_before() != Some(TokenKind::Number) || !fault.touch(fault.at - 1) {
        return None;
    }
    let message = format!("a digit must follow the point: write `{}.0`", fault.back(1));
    let span = fault.span(fault.at - 1).to(point);
    let diagnostic = fault.error_at(span, message, "a digit is missing behind the point");
    Some(diagnostic.suggest("insert it", point.after(), "0"))
}

/// `0.3a`, `1e`
fn number_with_letters(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let touches = fault.at > 0 && fault.touch(fault.at - 1);
    let kind = fault.kind(fault.at);
    let is_word = matches!(kind, Some(TokenKind::Word | TokenKind::Quoted));
    if !touches || !is_word || fault.kind_before() != Some(TokenKind::Number) {
        return None;
    }
    let (number, word) = (fault.back(1), fault.here());
    let span = fault.span(fault.at - 1).to(fault.span(fault.at));
    if matches!(word, "e" | "E") {
        let message = format!("the exponent of `{number}{word}` has no digits");
        return Some(fault.error_at(span, message, "write for example `1e-5`"));
    }
    let (number, word) = (quote(number), quote(word));
    let (missing, left, repair, inserted) = if fault.is_arithmetic() {
        ("an operator", "", "multiply them", " * ")
    } else {
        ("a `:`", "the weight ", "insert it", ": ")
    };
    let message = format!("{missing} is missing between {left}{number} and {word}");
    let diagnostic = fault.error_at(span, message, "these touch");
    Some(diagnostic.suggest(repair, fault.span(fault.at).before(), inserted))
}

/// `a & b`, `a | b`
fn split_operator(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let here = fault.here();
    if !matches!(here, "&" | "|") || !fault.expected.is_operator() {
        return None;
    }
    let message = format!("the logical operator is `{here}{here}`, not `{here}`");
    let diagnostic = fault.error_here(message, format!("expected `{here}{here}`"));
    let help = "of circuits, write a product `a * b` or a weighted sum `0.5: a + 0.5: b`";
    Some(
        diagnostic
            .suggest("double it", fault.span(fault.at), here.repeat(2))
            .help(help),
    )
}

/// `a ** b`, `a => b`
fn foreign_operator(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if fault.at == 0 || !fault.touch(fault.at - 1) {
        return None;
    }
    let (left, right) = (fault.back(1), fault.here());
    let (.., meant) = FOREIGN.iter().find(|(l, r, _)| (*l, *r) == (left, right))?;
    let span = fault.span(fault.at - 1).to(fault.span(fault.at));
    let message = format!("`{left}{right}` is written `{meant}`");
    let repair = format!("write `{meant}`");
    let diagnostic = fault.error_at(span, message, "no operator");
    Some(diagnostic.suggest(repair, span, *meant))
}

/// `0..=2`, which would lose its end if it became `0..2`
fn closed_range(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let at = fault.at;
    if at == 0 || (fault.back(1), fault.here()) != ("..", "=") || !fault.touch(at - 1) {
        return None;
    }
    let operator = fault.span(at - 1).to(fault.span(at));
    let end = fault.word(at + 1);
    let (span, meant) = match end.parse::<i64>().ok().and_then(|end| end.checked_add(1)) {
        Some(next) => (operator.to(fault.span(at + 1)), format!("..{next}")),
        None => (operator, "..1 + ".to_string()),
    };
    let message = "ranges leave out their upper end: there is no `..=`";
    let diagnostic = fault.error_at(operator, message, "no operator");
    Some(diagnostic.suggest("name the end that is left out", span, meant))
}

/// `a and b`, `not a`, `if a then { b } elif …`
fn word_operator(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if !fault.expected.is_operator() {
        return None;
    }
    let meant = match fault.here() {
        "and" | "AND" => "&&",
        "or" | "OR" => "||",
        "mod" => "%",
        "elif" | "elsif" | "elseif" => "else if",
        "then" | "do" => "",
        _ => return negation_in_words(fault),
    };
    let (word, span) = (fault.here(), fault.span(fault.at));
    if meant.is_empty() {
        let message = format!("there is no word `{word}` before a block");
        let diagnostic = fault.error_here(message, "not needed here");
        return Some(diagnostic.suggest("leave it out", span, ""));
    }
    let diagnostic = fault.error_here(format!("`{word}` is written `{meant}`"), "no operator");
    Some(diagnostic.suggest(format!("write `{meant}`"), span, meant))
}

fn negation_in_words(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if !matches!(fault.back(1), "not" | "NOT") || !fault.starts_expression(fault.at) {
        return None;
    }
    let word = fault.span(fault.at - 1);
    let through_blank = word.to(fault.span(fault.at).before());
    let diagnostic = fault.error_at(word, "negation is written `!`", "no operator");
    Some(diagnostic.suggest("write `!`", through_blank, "!"))
}
