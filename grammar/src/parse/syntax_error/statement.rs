//! Mistakes in the frame of a statement: its keyword, its names, `=`, `:` and `;`.

use super::super::RESERVED;
use super::super::scan::STARTERS;
use super::super::token::TokenKind;
use super::Mistake;
use super::fault::{Fault, quote};
use crate::diagnostic::Diagnostic;

/// In the order in which they are tried.
pub(super) const MISTAKES: &[Mistake] = &[
    query_with_frame,
    nothing_documented,
    misplaced_doc,
    empty_statement,
    unknown_statement,
    for_in_expression,
    reserved_name,
    missing_equals,
    missing_arguments,
    missing_colon,
    missing_word,
    path_without_quotes,
    index_without_range,
    name_behind_comma,
    missing_semicolon,
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
fn query_with_frame(fault: &Fault<'_>) -> Option<Diagnostic> {
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
    Some(
        fault
            .error(idx, message)
            .at("not needed here")
            .suggest(repair, fault.span(idx), ""),
    )
}

/// A doc comment or attribute at the end of the file.
fn nothing_documented(fault: &Fault<'_>) -> Option<Diagnostic> {
    if !(fault.at_semicolon() && fault.expected.is_statement() && fault.at > 0) {
        return None;
    }
    if fault.kind_before() != Some(TokenKind::Doc) {
        let at = (0..fault.at).rev().find(|&idx| fault.word(idx) == "@")?;
        let message = format!(
            "attribute {} stands before no statement",
            quote(&format!("@{}", fault.word(at + 1)))
        );
        return Some(
            fault
                .error(at, message)
                .at("nothing follows it")
                .help("put it before the statement it belongs to"),
        );
    }
    let doc = fault.at - 1;
    let start = fault.tokens[doc].start;
    Some(
        fault
            .error(doc, "this doc comment stands before no statement")
            .at("documents nothing")
            .suggest(
                "make it an ordinary comment",
                fault.place(start, start + 3),
                "//",
            ),
    )
}

/// `///` inside a statement.
fn misplaced_doc(fault: &Fault<'_>) -> Option<Diagnostic> {
    if fault.kind(fault.at) != Some(TokenKind::Doc) {
        return None;
    }
    let message = match fault.expected.is_statement() {
        true => "a doc comment stands before the attributes of its statement",
        false => "a doc comment cannot stand inside a statement",
    };
    let start = fault.tokens[fault.at].start;
    Some(
        fault
            .error(fault.at, message)
            .at("`///` documents the statement that follows")
            .suggest(
                "make it an ordinary comment",
                fault.place(start, start + 3),
                "//",
            ),
    )
}

/// `;` alone.
fn empty_statement(fault: &Fault<'_>) -> Option<Diagnostic> {
    if fault.tokens.len() != 1 || fault.here() != ";" {
        return None;
    }
    let diagnostic = fault
        .error(0, "this `;` ends no statement")
        .at("nothing stands before it");
    Some(diagnostic.suggest("remove it", fault.span(0), ""))
}

/// A statement that begins with no keyword, or with a misspelt one.
fn unknown_statement(fault: &Fault<'_>) -> Option<Diagnostic> {
    if !fault.expected.is_statement() {
        return None;
    }
    let word = fault.here();
    let span = fault.span(fault.at);
    if word == "for" {
        return Some(no_for(fault));
    }
    if fault.kind(fault.at) != Some(TokenKind::Word) || RESERVED.contains(&word) {
        return None;
    }
    let next_is_name = matches!(fault.kind(fault.at + 1), Some(kind) if kind != TokenKind::Mark);
    if let Some(keyword) = intended_keyword(word).filter(|_| next_is_name || word == "root") {
        let message = format!(
            "unknown statement {}; did you mean `{keyword}`?",
            quote(word)
        );
        let repair = format!("write `{keyword}`");
        return Some(
            fault
                .error(fault.at, message)
                .at("no statement begins so")
                .suggest(repair, span, keyword),
        );
    }
    let message = format!(
        "a statement begins with a keyword, and {} is none",
        quote(word)
    );
    let diagnostic = fault.error(fault.at, message).at("expected a statement");
    Some(match fault.word(fault.at + 1) {
        "=" | "[" | ":=" => diagnostic.suggest("define a node", span.before(), "node "),
        ":" | "," => diagnostic.suggest("declare a variable", span.before(), "var "),
        _ => diagnostic.help(format!("the statements are {}", quoted_list(STARTERS))),
    })
}

fn no_for(fault: &Fault<'_>) -> Diagnostic {
    fault
        .error(fault.at, "there is no `for` statement")
        .at("expected a statement")
        .help("repeat a node with `node z[k in 0..K] = …;`, or terms with `sum k in 0..K { … }`")
}

/// `[a[k] for k in 0..K]`, `sum for k in 0..K { … }`
fn for_in_expression(fault: &Fault<'_>) -> Option<Diagnostic> {
    let at = match (fault.here(), fault.back(1)) {
        ("for", _) => fault.at,
        (_, "for") => fault.at - 1,
        _ => return None,
    };
    if !fault.expected.is_operator() && !fault.expected.has("in") {
        return None;
    }
    Some(
        fault
            .error(at, "there is no `for` in expressions")
            .at("not part of the language")
            .help("repeat with `sum k in 0..K { … }` or `prod k in 0..K { … }`"),
    )
}

/// The keyword that a word is a foreign or misspelt form of.
fn intended_keyword(word: &str) -> Option<&'static str> {
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
fn reserved_name(fault: &Fault<'_>) -> Option<Diagnostic> {
    let word = fault.here();
    let expected = &fault.expected;
    let wants_name = expected.is_unknown() || expected.is_name() || expected.is_expression();
    if !RESERVED.contains(&word) || !wants_name {
        return None;
    }
    let message = format!("`{word}` is a reserved word and cannot be a name as it stands");
    let repair = "put it in backquotes to use it as a name";
    Some(
        fault
            .error(fault.at, message)
            .at(format!("`{word}` has a meaning of its own"))
            .suggest(repair, fault.span(fault.at), format!("`{word}`")),
    )
}

/// `node a b;`, `node a := b;`, `const a : 3;`
fn missing_equals(fault: &Fault<'_>) -> Option<Diagnostic> {
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
                .error(fault.at, message)
                .at("expected `=`")
                .suggest("write `=`", span, "=")
        }
        "(" if keyword == "node" => {
            let keyword_at = (0..fault.at).find(|&idx| fault.word(idx) == "node")?;
            fault
                .error(fault.at, "a node has no arguments")
                .at("expected `=` or `[`")
                .help("indices stand in brackets: `node a[k in 0..K] = …;`")
                .suggest("make it a definition", fault.span(keyword_at), "def")
        }
        "[" => fault
            .error(fault.at, "a constant has no extents")
            .at("expected `=`")
            .help("a list is a constant too: `const a = [1, 2, 3];`"),
        _ if fault.at_semicolon() => fault.error(fault.at, wanted).at("expected `=` and a value"),
        "~" => fault
            .error(fault.at, wanted)
            .at("expected `=`")
            .help("a leaf names its variable: `node a = x ~ normal(0, 1);`"),
        _ => fault.error(fault.at, wanted).at("expected `=`").suggest(
            "insert it",
            span.before(),
            "= ",
        ),
    })
}

/// `def f = a;`
fn missing_arguments(fault: &Fault<'_>) -> Option<Diagnostic> {
    if fault.keyword() != "def" || !fault.expected.has("(") || fault.here() != "=" {
        return None;
    }
    let behind = fault.span(fault.at - 1).after();
    Some(
        fault
            .error(fault.at, "a definition needs its arguments in parentheses")
            .at("expected `(`")
            .suggest("let it have none", behind, "()")
            .help("what has no arguments can be a `node` or a `const`"),
    )
}

/// `var a bool;`, `param a = ?;`
fn missing_colon(fault: &Fault<'_>) -> Option<Diagnostic> {
    let keyword = fault.keyword();
    if !fault.expected.has(":") || fault.expected.is_operator() {
        return None;
    }
    let kind = match keyword {
        "var" => "domain",
        _ => "kind",
    };
    let message = format!("`{keyword}` needs a `:` and a {kind}");
    let diagnostic = fault.error(fault.at, message).at("expected `:`");
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
fn missing_word(fault: &Fault<'_>) -> Option<Diagnostic> {
    let word = ["is", "as"]
        .into_iter()
        .find(|word| fault.expected.has(word))?;
    let message = format!("`{}` needs the word `{word}`", fault.keyword());
    let diagnostic = fault
        .error(fault.at, message)
        .at(format!("expected `{word}`"));
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
fn path_without_quotes(fault: &Fault<'_>) -> Option<Diagnostic> {
    if fault.keyword() != "use" || !fault.expected.has("\"") {
        return None;
    }
    let end = (fault.at..fault.tokens.len())
        .take_while(|&idx| !matches!(fault.word(idx), "as" | ";"))
        .last()?;
    let path = fault.span(fault.at).to(fault.span(end));
    let text = &fault.text[fault.tokens[fault.at].start..fault.tokens[end].end];
    let quoted = format!("\"{}\"", text.trim_matches(['\'', '“', '”', '„', '‘', '’']));
    Some(
        fault
            .error_at(path, "the file of a `use` stands in quotes")
            .at("expected a text in quotes")
            .suggest("put it in quotes", path, quoted),
    )
}

/// `node a[0..K]`, `node a[k]`, `sum k 0..K { … }`
fn index_without_range(fault: &Fault<'_>) -> Option<Diagnostic> {
    let in_family = fault.keyword() == "node" && fault.expected.is_name();
    if fault.expected.has("in") && !fault.expected.is_operator() {
        let diagnostic = fault
            .error(
                fault.at,
                format!("index {} needs a range", quote(fault.back(1))),
            )
            .at("expected `in`");
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
    let diagnostic = fault
        .error(fault.at, "an index of a node needs a name")
        .at("expected a name");
    Some(diagnostic.suggest("name it", fault.span(fault.at).before(), "k in "))
}

/// `var a, : bool;`
fn name_behind_comma(fault: &Fault<'_>) -> Option<Diagnostic> {
    if fault.back(1) != "," || !fault.expected.is_name() {
        return None;
    }
    let comma = fault.span(fault.at - 1);
    let message = format!("a name must follow the `,`, found {}", fault.found());
    let diagnostic = fault.error(fault.at, message).at("expected a name");
    Some(diagnostic.suggest("remove the `,`", comma, ""))
}

/// A statement without its end, at the end of the text or with another line behind it.
fn missing_semicolon(fault: &Fault<'_>) -> Option<Diagnostic> {
    let goes_on = fault.on_new_line() && fault.kind(fault.at) == Some(TokenKind::Word);
    if !fault.expected.has(";") || !(fault.at_end() || goes_on) {
        return None;
    }
    let behind = fault.span(fault.at.checked_sub(1)?).after();
    Some(
        fault
            .error_at(behind, "this statement does not end in `;`")
            .at("expected `;`")
            .suggest("insert it", behind, ";"),
    )
}

fn quoted_list(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
