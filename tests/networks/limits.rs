//! What is too large is refused before it is built.

use crate::reading::{analyzed, error};
use pelton_compiler::AnalysisOptions;
use std::fmt::Write;

/// A square of binary variables, each beside its neighbours.
fn grid(n: usize) -> String {
    let pairs: Vec<(usize, usize)> = (0..n * n)
        .flat_map(|at| {
            let right = (at % n + 1 < n).then_some((at, at + 1));
            let below = (at + n < n * n).then_some((at, at + n));
            right.into_iter().chain(below)
        })
        .collect();
    let mut text = format!(
        "MARKOV\n{}\n{}\n{}\n",
        n * n,
        "2 ".repeat(n * n),
        pairs.len()
    );
    for (a, b) in &pairs {
        writeln!(text, "2 {a} {b}").expect("a string takes any text");
    }
    for _ in &pairs {
        text.push_str("4\n1 2 2 1\n");
    }
    text
}

#[test]
fn wide_networks_are_refused_by_their_width() {
    let message = error("grid.uai", &grid(20));
    assert!(message.starts_with("the network has width "), "{message}");
    let message = error("grid.uai", &grid(60));
    assert!(
        message.starts_with("the network has width at least"),
        "{message}"
    );
}

#[test]
fn the_limit_can_be_set() {
    let mut options = AnalysisOptions::default();
    options.lower.max_size = 3000;
    let small = analyzed("grid.uai", &grid(8), &options);
    let messages: Vec<String> = small.found.iter().map(|d| d.message.clone()).collect();
    assert!(
        messages[0].contains("and the limit is 3,000"),
        "{messages:?}"
    );
    options.lower.max_size = 100_000;
    let large = analyzed("grid.uai", &grid(8), &options);
    assert!(large.circuit.is_some());
    let circuit = large.circuit.unwrap();
    assert!(circuit.n_units() + circuit.n_edges() < 100_000);
}

#[test]
fn hard_formulas_are_refused() {
    // Pigeons: 11 of them in 10 holes.
    let (n, holes) = (11, 10);
    let variable = |pigeon: usize, hole: usize| pigeon * holes + hole + 1;
    let mut clauses = String::new();
    let mut n_clauses = 0;
    for pigeon in 0..n {
        for hole in 0..holes {
            write!(clauses, "{} ", variable(pigeon, hole)).expect("a string takes any text");
        }
        clauses.push_str("0\n");
        n_clauses += 1;
    }
    for hole in 0..holes {
        for a in 0..n {
            for b in 0..a {
                writeln!(clauses, "-{} -{} 0", variable(a, hole), variable(b, hole))
                    .expect("a string takes any text");
                n_clauses += 1;
            }
        }
    }
    let text = format!("p cnf {} {n_clauses}\n{clauses}", n * holes);
    let mut options = AnalysisOptions::default();
    options.lower.max_size = 20_000;
    let analysis = analyzed("hard.cnf", &text, &options);
    let messages: Vec<String> = analysis.found.iter().map(|d| d.message.clone()).collect();
    assert_eq!(
        messages,
        ["the formula is too hard: its circuit was not found within 1,000,000 steps"]
    );
}
