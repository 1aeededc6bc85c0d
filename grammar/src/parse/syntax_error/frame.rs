//! Mistakes in the frame of a statement: its names, `=`, `:`, `in` and `;`.

use super::super::token::TokenKind;
use super::Mistake;
use super::fault::{SyntaxFault, quote};
use crate::diagnostic::SourceDiagnostic;

/// In the order in which they are tried.
pub(super) const MISTAKES: &[Mistake] = &[
    missing_equals,
    missing_arguments,
    missing_colon,
    missing_word,
    path_without_quotes,
    index_without_range,
    name_behind_comma,
    missing_semicolon,
];

/// `node a b;`, `node a := b;`, `const a : 3;`
fn missing_equals(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if !fault.expected.has("=") || fault.expected.is_operator() || fault.expected.has(":") {
        return None;
    }
    let keyword = fault.keyword();
    let here = fault.here();
    let span = fault.span(fault.at);
    let wanted = format!("`{keyword}` needs a `=` before its value");
    Some(match here {
        ":=" | ":" => {
            let message = format!("`{keyword}` is defined with `=`, not with `{here}`");
            fault
                .error_here(message, "expected `=`")
                .suggest("write `=`", span, "=")
        }
        "(" if keyword == "node" => {
            let keyword_at = (0..fault.at).find(|&idx| fault.word(idx) == "node")?;
            fault
                .error_here("a node has no arguments", "expected `=` or `[`")
                .help("indices stand in brackets: `node a[k in 0..K] = …;`")
                .suggest("make it a definition", fault.span(keyword_at), "def")
        }
        "[" => fault
            .error_here("a constant has no extents", "expected `=`")
            .help("a list is a constant too: `const a = [1, 2, 3];`"),
        _ if fault.at_semicolon() => fault.error_here(wanted, "expected `=` and a value"),
        "~" => fault
            .error_here(wanted, "expected `=`")
            .help("a leaf names its variable: `node a = x ~ normal(0, 1);`"),
        _ => fault
            .error_here(wanted, "expected `=`")
            .suggest("insert it", span.before(), "= "),
    })
}

/// `def f = a;`
fn missing_arguments(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if fault.keyword() != "def" || !fault.expected.has("(") || fault.here() != "=" {
        return None;
    }
    let behind = fault.span(fault.at - 1).after();
    let message = "a definition needs its arguments in parentheses";
    let diagnostic = fault.error_here(message, "expected `(`");
    let diagnostic = diagnostic.suggest("let it have none", behind, "()");
    Some(diagnostic.help("what has no arguments can be a `node` or a `const`"))
}

/// `var a bool;`, `param a = ?;`
fn missing_colon(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let keyword = fault.keyword();
    if !fault.expected.has(":") || fault.expected.is_operator() {
        return None;
    }
    let kind = match keyword {
        "var" => "domain",
        _ => "kind",
    };
    let message = format!("`{keyword}` needs a `:` and a {kind}");
    let diagnostic = fault.error_here(message, "expected `:`");
    let span = fault.span(fault.at);
    Some(match fault.here() {
        "=" if keyword == "param" => diagnostic
            .help("the kinds are `real`, `positive`, `unit` and `simplex(K)`")
            .suggest("say of which kind it is", span.before(), ": real "),
        "=" | ":=" | "in" | "~" => diagnostic.suggest("write `:`", span, ":"),
        _ if fault.starts_expression(fault.at) => {
            diagnostic.suggest("insert it", span.before(), ": ")
        }
        _ => diagnostic,
    })
}

/// `assert root smooth;`, `use "a.pcirc";`
fn missing_word(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let word = ["is", "as"]
        .into_iter()
        .find(|word| fault.expected.has(word))?;
    let message = format!("`{}` needs the word `{word}`", fault.keyword());
    let diagnostic = fault.error_here(message, format!("expected `{word}`"));
    let span = fault.span(fault.at);
    Some(match (fault.here(), fault.kind(fault.at)) {
        (":" | "=" | "==", _) => {
            let blank = if fault.touch(fault.at - 1) { " " } else { "" };
            diagnostic.suggest(format!("write `{word}`"), span, format!("{blank}{word}"))
        }
        (_, Some(TokenKind::Word)) => {
            diagnostic.suggest("insert it", span.before(), format!("{word} "))
        }
        _ if word == "as" => {
            diagnostic.help("the name behind `as` is the prefix of what the file defines")
        }
        _ => diagnostic.help("name properties, as in `assert root is smooth, deterministic;`"),
    })
}

/// `use lib.pcirc as lib;`
fn path_without_quotes(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if fault.keyword() != "use" || !fault.expected.has("\"") {
        return None;
    }
    let end = (fault.at..fault.tokens.len())
        .take_while(|&idx| !matches!(fault.word(idx), "as" | ";"))
        .last()?;
    let path = fault.span(fault.at).to(fault.span(end));
    let text = &fault.text[fault.tokens[fault.at].start..fault.tokens[end].end];
    let quoted = format!("\"{}\"", text.trim_matches(['\'', '“', '”', '„', '‘', '’']));
    let message = "the file of a `use` stands in quotes";
    let diagnostic = fault.error_at(path, message, "expected a text in quotes");
    Some(diagnostic.suggest("put it in quotes", path, quoted))
}

/// `node a[0..K]`, `node a[k]`, `sum k 0..K { … }`
fn index_without_range(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let in_family = fault.keyword() == "node" && fault.expected.is_name();
    if fault.expected.has("in") && !fault.expected.is_operator() {
        let message = format!("index {} needs a range", quote(fault.back(1)));
        let diagnostic = fault.error_here(message, "expected `in`");
        return Some(match fault.here() {
            "=" | ":" => diagnostic.suggest("write `in`", fault.span(fault.at), "in"),
            _ if fault.starts_expression(fault.at) => {
                diagnostic.suggest("insert it", fault.span(fault.at).before(), "in ")
            }
            _ => diagnostic.help("write for example `k in 0..K`"),
        });
    }
    let opens = matches!(fault.back(1), "[" | ",") && !fault.open_brackets(fault.at).is_empty();
    if !(in_family && opens && fault.kind(fault.at) == Some(TokenKind::Number)) {
        return None;
    }
    let message = "an index of a node needs a name";
    let diagnostic = fault.error_here(message, "expected a name");
    Some(diagnostic.suggest("name it", fault.span(fault.at).before(), "k in "))
}

/// `var a, : bool;`
fn name_behind_comma(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if fault.back(1) != "," || !fault.expected.is_name() {
        return None;
    }
    let comma = fault.span(fault.at - 1);
    let message = format!("a name must follow the `,`, found {}", fault.found());
    let diagnostic = fault.error_here(message, "expected a name");
    Some(diagnostic.suggest("remove the `,`", comma, ""))
}

/// A statement without its end, at the end of the text or with another line behind it.
fn missing_semicolon(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let goes_on = fault.on_new_line() && fault.kind(fault.at) == Some(TokenKind::Word);
    if !fault.expected.has(";") || !(fault.at_end() || goes_on) {
        return None;
    }
    let behind = fault.span(fault.at.checked_sub(1)?).after();
    let diagnostic = fault.error_at(behind, "this statement does not end in `;`", "expected `;`");
    Some(diagnostic.suggest("insert it", behind, ";"))
}
