//! Texts and the trees they give.

mod robust;

use super::*;
use crate::ast::{ExprKind, ItemKind};

const HMM: &str = "const T = 32;  const K = 16;  const V = 27;     // a hidden Markov model
var x[0..T] : 0..V;
param init         : simplex(K) = ?;
param trans[0..K]  : simplex(K) = ?;            // tied over time
param emit[0..K]   : simplex(V) = ?;

/// P(x[t..T] | z_t = k)
node z[t in 0..T, k in 0..K] =
    if t + 1 == T { x[t] ~ categorical(emit[k]) }
    else { x[t] ~ categorical(emit[k]) * sum j in 0..K { trans[k, j]: z[t + 1, j] } };

root sum k in 0..K { init[k]: z[0, k] };
";

fn read(text: &str) -> (FileSyntax, SourceDiagnostics) {
    let mut found = SourceDiagnostics::new();
    let file = parse(
        &Source::standalone("t.pcirc", text),
        &ParseOptions::default(),
        &mut found,
    );
    (file, found)
}

#[test]
fn statements_of_a_file() {
    let (file, found) = read(HMM);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(file.items.len(), 9);
    assert_eq!(file.comments.len(), 2);
    assert_eq!(file.items[7].docs[0].text, "P(x[t..T] | z_t = k)");
}

#[test]
fn a_broken_statement_does_not_hide_the_next() {
    let (file, found) = read("var a : bool\nnode b = (a;\nvar c : ;\nroot c;");
    assert_eq!(
        found.count(crate::diagnostic::Severity::Error),
        3,
        "{found:?}"
    );
    assert_eq!(file.items.len(), 1);
    assert_eq!(file.broken.len(), 3);
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [
        ("(", ")"),
        ("/*", "*/"),
        ("[", "]"),
        ("sum i in 0..1 {", "}"),
    ] {
        let text = format!("root {}{};", open.repeat(100_000), close.repeat(100_000));
        let (_, found) = read(&text);
        assert_eq!(
            found.iter().next().map(|d| d.code),
            Some(Code::TooDeep),
            "{open}"
        );
    }
    let text = format!("root {}a{};", "(".repeat(200), ")".repeat(200));
    assert!(read(&text).1.is_empty());
}

#[test]
fn line_ends_and_byte_order_marks_are_blanks() {
    let text = "\u{feff}var a : bool; // c\r\nvar b : bool;\r\n";
    let (file, found) = read(text);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(&text[file.items[0].span.range()], "var a : bool;");
    assert_eq!(&text[file.items[1].span.range()], "var b : bool;");
    assert_eq!(file.comments[0].text, "// c");
}

#[test]
fn strings_and_quoted_names_do_not_end_statements() {
    let (file, found) = read("use \"a;b\" as `c;d`;\nvar e : {\"f; node g\"};");
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(file.items.len(), 2);
}

#[test]
fn spans_leave_out_blanks_and_comments() {
    let text = "node n = /* 1 */ a /* 2 */ + x /* 3 */ ~ f(b /* 4 */) /* 5 */ // 6\n ;";
    let (file, _) = read(text);
    let ItemKind::Node(node) = &file.items[0].kind else {
        panic!("a node was read");
    };
    let ExprKind::Sum(terms) = &node.body.kind else {
        panic!("a sum was read");
    };
    assert_eq!(
        &text[node.body.span.range()],
        "a /* 2 */ + x /* 3 */ ~ f(b /* 4 */)"
    );
    assert_eq!(&text[terms[0].body.span.range()], "a");
    assert_eq!(&text[terms[1].span.range()], "x /* 3 */ ~ f(b /* 4 */)");
}

#[test]
fn prefix_operators_keep_their_meaning_before_blanks() {
    let (file, _) = read("root ! a;\nroot !a;\nroot - a;");
    let dump = crate::dump::dump(&file);
    let statements: Vec<&str> = dump.split_terminator("root\n").skip(1).collect();
    assert_eq!(statements[0], statements[1]);
    assert_eq!(statements[2], "  negative\n    ref `a`\n");
}

#[test]
fn an_attribute_begins_the_next_statement() {
    let (file, found) = read("node a = (b\n@column(\"c\")\nvar c : bool;");
    assert_eq!(found.len(), 1);
    assert_eq!(file.items[0].attributes.len(), 1);
}

#[test]
fn reserved_words_are_those_of_the_grammar() {
    let rule = include_str!("../../pcirc.pest")
        .split_once("reserved = _{")
        .and_then(|(_, rest)| rest.split_once('}'))
        .map(|(rule, _)| rule)
        .expect("the grammar lists its reserved words");
    let mut words: Vec<_> = rule.split('"').skip(1).step_by(2).collect();
    words.sort_unstable();
    assert_eq!(words, RESERVED);
    for word in RESERVED {
        assert_eq!(read(&format!("const {word} = 1;")).1.len(), 1, "{word}");
        assert!(
            read(&format!("const `{word}` = {word}s;")).1.is_empty(),
            "{word}"
        );
    }
}
