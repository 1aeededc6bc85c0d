//! Written circuits are the circuits they were written from.

use super::written;
use crate::circuit::{CircuitGraph, Domain};
use crate::emit::tests::fixture;
use crate::load::{FileLoader, SourceInput, load};
use crate::lower::{LowerOptions, lower};
use crate::reference::log_likelihood;
use crate::stats::CircuitStatistics;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::parse::ParseOptions;
use std::path::PathBuf;

/// The circuit that a text means.
fn read(text: &str) -> CircuitGraph {
    read_at(text, None)
}

/// The circuit that the text of a file means, with the files it uses.
fn read_at(text: &str, path: Option<PathBuf>) -> CircuitGraph {
    let mut found = SourceDiagnostics::new();
    let input = SourceInput {
        name: "written".into(),
        path,
        bytes: text.as_bytes().to_vec(),
    };
    let program = load(input, &FileLoader, &ParseOptions::default(), &mut found);
    let lowered = lower(&program, &LowerOptions::default(), &mut found);
    match lowered {
        Some(lowered) => lowered.circuit,
        None => panic!("{text}\n{found:#?}"),
    }
}

/// Some assignments to the variables, in and out of the supports.
fn assignments(circuit: &CircuitGraph) -> Vec<Vec<f64>> {
    let value = |round: usize, at: usize, domain: &Domain| {
        let spread = (round * 7 + at * 3) % 11;
        match domain {
            Domain::Real => spread as f64 * 2.5 - 1.0,
            _ => domain.first() + (spread as u64 % domain.size().unwrap_or(6)) as f64,
        }
    };
    let rounds = (0..40).map(|round| {
        let variables = circuit.variables().iter().enumerate();
        let values = variables.map(|(at, variable)| value(round, at, &variable.domain));
        values.collect()
    });
    rounds.collect()
}

/// Writing and reading keeps sizes, tying and distribution, and writing the
/// result gives the same statements.
fn assert_round_trip(circuit: &CircuitGraph) {
    let text = written(circuit);
    let again = read(&text);
    assert_eq!(
        CircuitStatistics::of(&again),
        CircuitStatistics::of(circuit),
        "{text}"
    );
    let (old, new) = (circuit.start_values(), again.start_values());
    for assignment in assignments(circuit) {
        let expected = log_likelihood(circuit, &old, &assignment);
        let found = log_likelihood(&again, &new, &assignment);
        let is_same = expected == found || (expected - found).abs() < 1e-12;
        assert!(is_same, "{expected} {found} for {assignment:?}\n{text}");
    }
    assert_eq!(statements(&written(&again)), statements(&text));
}

/// The statements in an order of their own: reading may put nodes in another.
fn statements(text: &str) -> Vec<&str> {
    let mut statements: Vec<&str> = text.split(";\n").map(str::trim).collect();
    statements.sort_unstable();
    statements
}

#[test]
fn built_circuits_come_back() {
    assert_round_trip(&fixture::sprinkler());
    assert_round_trip(&fixture::penguins());
    assert_round_trip(&fixture::hmm(4, 3, 5));
}

#[test]
fn every_kind_of_leaf_comes_back() {
    assert_round_trip(&read(
        "var sky : {clear, \"very stormy\", `in`};
         var t, u : real;
         var n : nat;
         var d : -1..7;
         var b[2..4, 0..2] : bool;
         param rate : positive = 2.5;
         param p[0..2] : unit = ?[0.25, exp(-1.5)];
         param w : simplex(3) = [0.5, ?, ?];
         node tail = n ~ poisson(rate) in [3, inf);
         node bins = u ~ histogram([0, 0.5, 20], [?0.25, 0.75]);
         root 0.5: ([sky = \"very stormy\"] * t ~ normal(-1.5, ?3) in (-inf, 20]
                    * bins * tail * [d in {1, 2, 5}] * b[2, 0] * !b[2, 1] * b[3, 0] * b[3, 1])
            + ?:   ([sky in {clear, `in`}] * t ~ uniform(-2.5, 20) * u ~ gamma(?, 2) * n ~ geometric(p[1])
                    * [-1 <= d < 5] * (p[0]: b[2, 0] + (1 - p[0]): !b[2, 0])
                    * b[2, 1] ~ bernoulli(exp(-0.25)) * [b[3, 0] in {false, true}] * b[3, 1])
            + 0.125: (sky ~ categorical(w) * [10 <= t < 12.5] * u ~ exponential(?0.5)
                    * n ~ negative_binomial(3, 0.5) * d ~ categorical(?) * (prod i in 2..4, j in 0..2 { b[i, j] }));
         assert tail is smooth;
         assert root is decomposable;
         query P(b[2, 0] || t <= 3 && sky in {clear, `in`} | n >= 2, d != 3);
         query P(t = 3);",
    ));
}

#[test]
fn tied_and_mixed_weights_come_back() {
    assert_round_trip(&read(
        "var a, c : bool;
         param w : simplex(2) = ?[exp(-0.6931471805599453), 0.5];
         param q : unit = ?;
         node x = w[1]: a + w[0]: !a;
         node y = w[0]: c + 0.25: !c + ?: !c;
         node both = x * y;
         root q: both + (1 - q): (0.5: !a * both + 0.5: (prod i in 0..0 { a }));",
    ));
}

#[test]
fn the_examples_come_back() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut n_read = 0;
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "pcirc")) {
        println!("{}", path.display());
        let text = std::fs::read_to_string(&path).unwrap();
        assert_round_trip(&read_at(&text, Some(path)));
        n_read += 1;
    }
    assert!(n_read >= 4);
}
