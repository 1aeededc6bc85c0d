//! Mistakes in brackets and blocks.

use super::super::scan::closer_of;
use super::Mistake;
use super::fault::SyntaxFault;
use crate::diagnostic::SourceDiagnostic;

/// In the order in which they are tried.
pub(super) const MISTAKES: &[Mistake] = &[
    range_in_brackets,
    open_at_the_end,
    mismatched,
    empty,
    body_without_braces,
];

/// `x in [0..3]`
fn range_in_brackets(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let open = *fault.open_brackets(fault.at).last()?;
    let after_in = open > 0 && fault.word(open - 1) == "in";
    let is_range = (open..fault.at).any(|idx| fault.word(idx) == "..");
    if !after_in || !is_range || !matches!(fault.here(), "]" | ")") {
        return None;
    }
    let (first, last) = (fault.span(open), fault.span(fault.at));
    let edits = vec![(first, String::new()), (last, String::new())];
    let message = "a range stands without brackets";
    let label = "an interval would be `[low, high)`";
    let diagnostic = fault.error_at(first.to(last), message, label);
    Some(diagnostic.suggest_edits("leave them out", edits))
}

/// `(a;`, where the count of brackets comes out even by accident.
fn open_at_the_end(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if !fault.at_semicolon() || fault.expected.is_expression() {
        return None;
    }
    let open = *fault.open_brackets(fault.at).last()?;
    let opener = fault.word(open);
    let behind = fault.span(fault.at.checked_sub(1)?).after();
    let message = format!("this `{opener}` is never closed");
    let diagnostic = fault.error(open, message, "opened here");
    Some(diagnostic.label(behind, "the statement ends here"))
}

/// `(a]`
fn mismatched(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let here = fault.here();
    if !matches!(here, ")" | "]" | "}") || fault.expected.is_expression() {
        return None;
    }
    let open = *fault.open_brackets(fault.at).last()?;
    let opener = fault.word(open);
    let closer = closer_of(opener);
    if closer == here {
        return None;
    }
    let message = format!("`{here}` cannot close `{opener}`");
    let diagnostic = fault.error_here(message, format!("expected `{closer}`"));
    let diagnostic = diagnostic.label(fault.span(open), "opened here");
    Some(diagnostic.suggest(format!("write `{closer}`"), fault.span(fault.at), closer))
}

/// `{ }` and `( )`
fn empty(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let what = match (fault.back(1), fault.here()) {
        ("{", "}") => "block",
        ("(", ")") => "pair of parentheses",
        ("[", "]") => "pair of brackets",
        _ => return None,
    };
    let span = fault.span(fault.at - 1).to(fault.span(fault.at));
    let message = format!("this {what} is empty");
    Some(fault.error_at(span, message, "expected an expression inside"))
}

/// `if a b`, `else b`, `sum k in 0..K b`
fn body_without_braces(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if !fault.expected.has("{") || fault.expected.is_expression() {
        return None;
    }
    let what = match fault.back(1) {
        "else" => "an `else`",
        _ => "a repetition or condition",
    };
    let message = format!("the body of {what} stands in braces");
    let diagnostic = fault.error_here(message, "expected `{`");
    if fault.here() == ":" {
        return Some(diagnostic.help("write for example `if t == 0 { a } else { b }`"));
    }
    if !fault.starts_expression(fault.at) {
        return Some(diagnostic);
    }
    let end = fault.span(end_of_body(fault)).after();
    let edits = vec![
        (fault.span(fault.at).before(), "{ ".to_string()),
        (end, " }".to_string()),
    ];
    Some(diagnostic.suggest_edits("put it in braces", edits))
}

/// The last token of the body that starts at the fault: up to an `else`, a closing bracket or the
/// end of the statement.
fn end_of_body(fault: &SyntaxFault<'_>) -> usize {
    let mut depth = 0usize;
    for idx in fault.at..fault.tokens.len() {
        match fault.word(idx) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth > 0 => depth -= 1,
            ")" | "]" | "}" | ";" => return idx - 1,
            "else" | "," if depth == 0 && idx > fault.at => return idx - 1,
            _ => {}
        }
    }
    fault.tokens.len() - 1
}
