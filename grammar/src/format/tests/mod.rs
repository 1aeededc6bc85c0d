//! The laws of the formatter, and the look of its output.

mod generate;
mod look;

use super::*;
use crate::ast::ItemKind;
use crate::dump::dump;
use crate::parse::token::tokens;
use generate::Dice;
use proptest::prelude::*;

/// The canonical text of a tree that was made rather than read.
///
/// Comments are left out, since without a text they have no place. The tree
/// must have the shape that the parser gives: a sum inside a product, for
/// example, stands in [`ExprKind::Paren`](crate::ast::ExprKind::Paren).
fn print(file: &FileSyntax) -> String {
    let mut out = String::new();
    let mut previous: Option<&Item> = None;
    for item in &file.items {
        if previous.is_some_and(|previous| !same_kind(&previous.kind, &item.kind)) {
            out.push('\n');
        }
        let mut writer = StatementWriter::new(None);
        writer.item(item);
        layout::layout(&writer.pieces, 0, &mut out);
        out.push('\n');
        previous = Some(item);
    }
    out
}

fn same_kind(a: &ItemKind, b: &ItemKind) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

pub(super) fn source(text: &str) -> Source {
    Source::standalone("t.pcirc", text)
}

pub(super) fn read(text: &str) -> FileSyntax {
    let mut found = SourceDiagnostics::new();
    let file = parse(&source(text), &ParseOptions::default(), &mut found);
    let messages: Vec<_> = found.iter().map(|d| &d.message).collect();
    assert!(found.is_empty(), "{messages:?}\n{text}");
    file
}

pub(super) fn formatted(text: &str) -> String {
    format(&read(text), &source(text))
}

fn comment_texts(file: &FileSyntax) -> Vec<&str> {
    file.comments
        .iter()
        .map(|comment| comment.text.as_str())
        .collect()
}

/// Checks all laws on one text and returns its canonical form.
pub(super) fn check_laws(text: &str) -> String {
    let before = read(text);
    let once = format(&before, &source(text));
    let after = read(&once);
    assert_eq!(
        dump(&before),
        dump(&after),
        "the tree changed:\n{text}\n-->\n{once}"
    );
    assert_eq!(
        comment_texts(&before),
        comment_texts(&after),
        "comments changed:\n{text}\n-->\n{once}"
    );
    assert_eq!(once, formatted(&once), "not idempotent:\n{text}");
    assert!(
        once.lines().all(|line| line == line.trim_end()),
        "blanks at the end:\n{once}"
    );
    once
}

/// Puts comments and line breaks into the gaps between tokens.
fn with_comments(text: &str, choices: &[u32]) -> String {
    const COMMENTS: &[&str] = &[
        "/* c */",
        "\n/* c */",
        "/* c */\n",
        "\n/* c */\n",
        "// c\n",
        "\n// c\n",
        "\n\n//// c\n\n\n",
        "/* c\n   d */",
        "/* a /* b */ */ /**/",
        "\n",
        "\n\n\n",
    ];
    let mut dice = Dice::new(choices);
    let mut out = String::new();
    let mut end = 0;
    for token in tokens(text) {
        out.push_str(&text[end..token.start]);
        if dice.pick(5) == 1 {
            out.push_str(&format!(" {} ", COMMENTS[dice.pick(COMMENTS.len())]));
        }
        out.push_str(&text[token.start..token.end]);
        end = token.end;
    }
    out.push_str(&text[end..]);
    out
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600,
        failure_persistence: None,
        rng_seed: prop::test_runner::RngSeed::Fixed(20_240_607),
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_printed_parses_to_the_same_tree(choices in prop::collection::vec(any::<u32>(), 0..400)) {
        let file = Dice::new(&choices).file();
        let text = print(&file);
        prop_assert_eq!(dump(&file), dump(&read(&text)), "{}", text);
        prop_assert_eq!(&text, &check_laws(&text));
    }

    #[test]
    fn comments_survive_wherever_they_stand(
        choices in prop::collection::vec(any::<u32>(), 0..200),
        places in prop::collection::vec(any::<u32>(), 0..200),
    ) {
        let text = with_comments(&print(&Dice::new(&choices).file()), &places);
        check_laws(&text);
    }
}

#[test]
fn deep_nesting_needs_no_more_stack() {
    let depth = ParseOptions::DEEPEST - 1;
    let text = format!("root {}a{};", "(".repeat(depth), ")".repeat(depth));
    let mut found = SourceDiagnostics::new();
    let options = ParseOptions {
        max_depth: ParseOptions::DEEPEST,
    };
    let file = parse(&source(&text), &options, &mut found);
    assert!(found.is_empty());
    assert_eq!(print(&file).matches('(').count(), depth);
    assert_eq!(dump(&file).lines().count(), depth + 2);
}
