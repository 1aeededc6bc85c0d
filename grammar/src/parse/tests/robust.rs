//! No text makes the parser, the formatter or the messages panic.

use super::{HMM, read};
use crate::diagnostic::{SourceDiagnostics, render};
use crate::dump::dump;
use crate::format::format;
use crate::parse::{ParseOptions, parse, parse_query};
use crate::source::SourceMap;

const KEPT: &[&str] = &[
    HMM,
    "/// doc\n@column(\"h_cm\") @missing(\"NA\")\nvar h : real; /* a /* b */ */\nvar s : {a, \"b c\", `in`};\n\
     node t = 1/3: h ~ normal(?, ?2.0) in [10, 20) + 2/3: [10 <= h < 20] * !x[0] ^ 2; // end\n\
     assert root is smooth;\nquery P(s = a | h in (0, 1]);\nuse \"a;b.pcirc\" as lib;\n",
    "\u{feff}const größe = [1, -2.5e3, \"\\\"\"];\r\nnode f[k in 0..3 where k % 2 == 1] = if k == 1 { a } else { b };\r\n",
];

/// Pieces that are likely to upset a reader of text.
const UPSETTING: &[&str] = &[
    ";", "\"", "`", "/*", "*/", "//", "///", "@", "(", ")", "[", "]", "{", "}", "~", "?", "..",
    ".", ":", "=", "!", "-", "1e", "node ", "root ", "in ", "if ", "else ", "\n", "\r\n", "\\",
    "\u{feff}", "é", "\u{301}", "\u{a0}", "\0", "“", "'", "#",
];

/// A small generator of numbers, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutate(text: &mut String, numbers: &mut Numbers) {
    let start = boundary(text, numbers.below(text.len() + 1));
    let end = boundary(text, (start + numbers.below(8)).min(text.len()));
    match numbers.below(3) {
        0 => text.replace_range(start..end.max(start), ""),
        1 => text.insert_str(start, UPSETTING[numbers.below(UPSETTING.len())]),
        _ => {
            let from = boundary(text, numbers.below(text.len() + 1));
            let to = boundary(text, (from + numbers.below(30)).min(text.len())).max(from);
            let part = text[from..to].to_string();
            text.insert_str(start, &part);
        }
    }
}

/// Reads, explains, writes and reads again.
fn survive(text: &str) {
    let mut sources = SourceMap::new();
    let id = sources.add("t.pcirc", None, text);
    let source = sources.get(id);
    let mut found = SourceDiagnostics::new();
    let file = parse(source, &ParseOptions::default(), &mut found);
    parse_query(
        source,
        &ParseOptions::default(),
        &mut SourceDiagnostics::new(),
    );
    for diagnostic in found.iter() {
        for label in &diagnostic.labels {
            assert!(
                text.get(label.span.range()).is_some(),
                "{diagnostic:?} of {text:?}"
            );
        }
        for (span, _) in diagnostic
            .suggestions
            .iter()
            .flat_map(|suggestion| &suggestion.edits)
        {
            assert!(
                text.get(span.range()).is_some(),
                "{diagnostic:?} of {text:?}"
            );
        }
        render::human(diagnostic, &sources, crate::remedy::no_options, false);
    }
    let written = format(&file, source);
    if found.is_empty() {
        let (again, _) = read(&written);
        assert_eq!(dump(&file), dump(&again), "{text:?}\n-->\n{written}");
        assert_eq!(
            file.comments.len(),
            again.comments.len(),
            "{text:?}\n-->\n{written}"
        );
    }
}

#[test]
fn mutated_texts_never_panic() {
    for (seed, kept) in KEPT.iter().enumerate() {
        assert!(read(kept).1.is_empty(), "{:?}", read(kept).1);
        for round in 0..1500 {
            let mut numbers = Numbers(seed as u64 * 1_000_003 + round);
            let mut text = kept.to_string();
            for _ in 0..=numbers.below(6) {
                mutate(&mut text, &mut numbers);
            }
            survive(&text);
        }
    }
}

#[test]
fn texts_of_upsetting_pieces_never_panic() {
    let mut numbers = Numbers(7);
    for _ in 0..3000 {
        let text: String = (0..numbers.below(12))
            .map(|_| UPSETTING[numbers.below(UPSETTING.len())])
            .collect();
        survive(&text);
    }
}

#[test]
fn a_great_many_faults_are_reported_in_time() {
    let (_, found) = read(&";".repeat(20_000));
    assert_eq!(found.len(), 20_000);
    let (_, found) = read(&format!("node a = b\n{}c;", "/// d\n".repeat(20_000)));
    assert_eq!(found.len(), 1);
}
