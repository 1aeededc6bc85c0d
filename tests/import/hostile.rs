//! Files that would take all memory or time.

use super::analyzed;
use pelton_compiler::AnalysisOptions;
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::lower::LowerOptions;
use pelton_formats::analyze;
use pelton_grammar::diagnostic::Severity;
use std::fmt::Write;

fn message(name: &str, text: &str) -> String {
    let analysis = analyzed(name, text);
    let errors = analysis.found.iter();
    let errors: Vec<&str> = errors.map(|error| error.message.as_str()).collect();
    errors.join("; ")
}

#[test]
fn numbers_in_a_file_reserve_nothing() {
    let far = i64::MAX;
    for text in [
        format!("psdd {far}\nL {far} {far} {far}\n"),
        format!("psdd 1\nD 0 0 {far} 0 0 0\n"),
        format!("sdd {far}\nD 0 0 {far} 0 0\n"),
        format!("jpc {far}\nP 0 0 {far} 0\n"),
        format!("jpc {far}\nI 0 0 1 {far}\n"),
        format!("jpc {far}\nB 0 0 1 {far} -0.5\n"),
        format!("nnf {far} {far} {far}\nL 1\n"),
        format!("(2 2)\nv {far} 0\n"),
        format!("({far})\nv 0 0\n"),
        format!("{far}\n{far}\n1 0.5\n"),
        format!("o 1 0\nt 2 0\n1 2 {far} 0\n"),
        format!("L {} 0 1", i64::MIN),
        format!("psdd 1\nL 0 0 {}\n", i64::MIN),
    ] {
        let said = message("a.nnf", &text);
        assert!(!said.is_empty(), "{text}");
    }
}

#[test]
fn the_size_of_a_circuit_is_limited() {
    let mut text = "psdd 1\nL 0 0 1\nL 1 0 -1\nT 2 2 2 -0.5\n".to_string();
    for id in 3..2000 {
        writeln!(
            text,
            "D {id} 1 2 0 2 -0.6931471805599453 1 2 -0.6931471805599453"
        )
        .unwrap();
    }
    let said = limited(&text, 1000);
    assert!(said.contains("more than 1,000 units and edges"), "{said}");
}

/// Filling in what branches miss may take more than the circuit itself.
#[test]
fn what_is_filled_in_is_limited_too() {
    let n = 1000;
    let mut text = format!("nnf 0 0 {n}\n");
    for at in 1..=n {
        writeln!(text, "L {at}\nL -{at}").unwrap();
    }
    // A chain of decisions, each of which leaves the rest open on one side.
    let mut below = 2 * (n - 1);
    let mut next = 2 * n;
    for at in (1..n).rev() {
        let (yes, no) = (2 * (at - 1), 2 * (at - 1) + 1);
        writeln!(text, "A 2 {no} {below}\nO {at} 2 {yes} {next}").unwrap();
        below = next + 1;
        next += 2;
    }
    let said = limited(&text, 12_000);
    assert!(said.contains("more than 12,000 units and edges"), "{said}");
    // What is open is shared along the chain, and does not grow with its square.
    assert_eq!(limited(&text, 40_000), "");
}

/// The first error of a file that is read under a limit.
fn limited(text: &str, max_size: usize) -> String {
    let input = SourceInput {
        name: "a".to_string(),
        path: None,
        bytes: text.as_bytes().to_vec(),
    };
    let options = AnalysisOptions {
        lower: LowerOptions {
            max_size,
            ..LowerOptions::default()
        },
        ..AnalysisOptions::default()
    };
    let analysis = analyze(input, &FileLoader, &options);
    let mut errors = analysis
        .found
        .iter()
        .filter(|d| d.severity == Severity::Error);
    errors
        .next()
        .map_or(String::new(), |error| error.message.clone())
}

/// Nothing recurses over the graph.
#[test]
fn a_deep_circuit_is_read() {
    let n = 200_000;
    let mut text = "o 1 0\n".to_string();
    for at in 2..n {
        writeln!(text, "o {at} 0").unwrap();
    }
    writeln!(text, "t {n} 0").unwrap();
    for at in (1..n).rev() {
        writeln!(text, "{at} {} 0", at + 1).unwrap();
    }
    // Disjunctions of one part are the part.
    let analysis = analyzed("a.nnf", text);
    assert!(analysis.circuit.is_some(), "{:?}", analysis.found);
    let mut tree = format!("{n}\n1\n1 0.5\n");
    for at in 2..=n {
        writeln!(tree, "{at} {} 0.25 0.75", at - 1).unwrap();
    }
    let analysis = analyzed("a.clt", tree);
    assert!(analysis.circuit.is_some(), "{:?}", analysis.found);
}

/// Many arcs between two units are looked at once.
#[test]
fn parallel_arcs_take_no_square_of_time() {
    let n = 30_000;
    let mut text = "o 1 0\na 2 0\nt 3 0\n".to_string();
    for _ in 0..n {
        writeln!(text, "1 2 0\n2 3 0").unwrap();
    }
    assert!(analyzed("a.nnf", text).circuit.is_some());
}
