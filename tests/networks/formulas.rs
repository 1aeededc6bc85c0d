//! Random formulas against all assignments.

use crate::reading::{circuit, error, is_close, mass, notes, value};
use pelton_compiler::circuit::Property;
use pelton_compiler::reference::assignments;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;

const LOGICAL: [Property; 3] = [
    Property::Smooth,
    Property::Decomposable,
    Property::Deterministic,
];

fn random_clauses(n_variables: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<i32>> {
    let most = rng.random_range(0..=3 * n_variables);
    (0..most)
        .map(|_| {
            let n = rng.random_range(1..=4);
            let literal = |_| {
                let variable = rng.random_range(1..=n_variables as i32);
                if rng.random_bool(0.5) {
                    variable
                } else {
                    -variable
                }
            };
            (0..n).map(literal).collect()
        })
        .collect()
}

/// The text; clauses may run over the ends of lines.
fn dimacs(kind: &str, n_variables: usize, clauses: &[Vec<i32>], separator: &str) -> String {
    let mut text = format!("c random\np {kind} {n_variables} {}\n", clauses.len());
    for clause in clauses {
        for literal in clause {
            write!(text, "{literal}{separator}").expect("a string takes any text");
        }
        text.push_str("0\n");
    }
    text + "%\n0\n\n"
}

fn holds(literal: i32, bits: u32) -> bool {
    (bits >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0)
}

fn is_model(kind: &str, clauses: &[Vec<i32>], bits: u32) -> bool {
    match kind {
        "cnf" => clauses.iter().all(|c| c.iter().any(|&l| holds(l, bits))),
        _ => clauses.iter().any(|c| c.iter().all(|&l| holds(l, bits))),
    }
}

fn check(kind: &str, n_variables: usize, clauses: &[Vec<i32>], separator: &str) -> bool {
    let text = dimacs(kind, n_variables, clauses, separator);
    let models = (0..1u32 << n_variables).filter(|&bits| is_model(kind, clauses, bits));
    let n_models = models.count();
    if n_models == 0 {
        assert_eq!(
            error("x.cnf", &text),
            "the formula has no models, and a circuit has some mass"
        );
        return false;
    }
    let circuit = circuit("x.cnf", &text, &LOGICAL);
    assert!(
        is_close(mass(&circuit), n_models as f64),
        "{} for {n_models} in {text}",
        mass(&circuit)
    );
    for assignment in assignments(&circuit, 256).into_iter().flatten() {
        let bits = assignment
            .iter()
            .rev()
            .fold(0, |bits, &x| bits << 1 | x as u32);
        let meant = f64::from(is_model(kind, clauses, bits));
        assert_eq!(
            value(&circuit, &assignment).round(),
            meant,
            "{assignment:?} in {text}"
        );
    }
    true
}

#[test]
fn circuits_count_the_models() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut n_some, mut n_none) = (0, 0);
    for at in 0..150 {
        let n_variables = rng.random_range(1..=if at < 100 { 8 } else { 14 });
        let clauses = random_clauses(n_variables, &mut rng);
        let separator = [" ", "\t ", "\r\n"][rng.random_range(0..3)];
        for kind in ["cnf", "dnf"] {
            if check(kind, n_variables, &clauses, separator) {
                n_some += 1
            } else {
                n_none += 1
            }
        }
    }
    assert!(n_some > 100 && n_none > 10, "{n_some} and {n_none}");
}

#[test]
fn wide_formulas_of_small_parts_compile() {
    let mut clauses = Vec::new();
    for at in 0..600 {
        clauses.push(vec![3 * at + 1, -(3 * at + 2), 3 * at + 3]);
    }
    let text = dimacs("cnf", 1800, &clauses, " ");
    let circuit = circuit("x.cnf", &text, &[Property::Smooth, Property::Decomposable]);
    let log = pelton_compiler::reference::log_likelihood(
        &circuit,
        &circuit.start_values(),
        &vec![f64::NAN; 1800],
    );
    assert!((log - 600.0 * 7f64.ln()).abs() < 1e-6);
}

#[test]
fn long_chains_compile() {
    let clauses: Vec<Vec<i32>> = (1..1500).map(|at| vec![-at, at + 1]).collect();
    let circuit = circuit(
        "x.cnf",
        &dimacs("cnf", 1500, &clauses, " "),
        &[Property::Decomposable],
    );
    assert!(is_close(mass(&circuit), 1501.0));
}

/// The gates of a small circuit, of five inputs.
#[test]
fn gates_have_a_model_for_each_input() {
    let text = include_str!("../data/networks/cnf_c17.cnf");
    let circuit = circuit("c17.cnf", text, &LOGICAL);
    assert!(is_close(mass(&circuit), 32.0));
}

#[test]
fn more_clauses_than_announced_are_read() {
    let text = "p cnf 3 1\n1 2 0\n-1 3 0";
    assert!(is_close(mass(&circuit("x.cnf", text, &LOGICAL)), 4.0));
    assert!(notes("x.cnf", text)[0].contains("announces 1 clause, and all 2"));
}
