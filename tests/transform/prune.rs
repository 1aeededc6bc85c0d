//! `prune`: what is left, and how far it is from what was.

use crate::kit::*;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, Property};
use pelton_compiler::reference::{assignments, log_likelihood};
use pelton_compiler::transform::{PrunedCircuit, prune};
use pelton_tests::dice::Dice;

fn by_weight(checked: &Checked, below: f64) -> PrunedCircuit {
    let circuit = checked.circuit();
    let values = circuit.start_values();
    prune(checked, &values, below, |sum, at| {
        let weight = circuit.child(sum, at).weight.unwrap();
        values[circuit.entry_position(weight)].linear()
    })
}

fn n_learned(circuit: &CircuitGraph) -> usize {
    circuit
        .all_entries()
        .iter()
        .filter(|entry| entry.learned)
        .count()
}

#[test]
fn nothing_is_below_zero() {
    for (seed, before) in circuits() {
        let after = by_weight(&before, 0.0);
        assert_eq!((after.n_dropped, after.n_tied), (0, 0), "seed {seed}");
        let new = after.circuit.checked.circuit();
        let mut dice = Dice::new(seed);
        for _ in 0..N_ROWS {
            let row = draw_row(&mut dice, new, true);
            let context = format!("seed {seed}, {row:?}");
            assert_near(log_at(new, &row), log_at(before.circuit(), &row), &context);
        }
        let again = by_weight(&after.circuit.checked, 0.0);
        let again = again.circuit.checked.circuit();
        assert_eq!(text_of(again), text_of(new), "seed {seed}");
        assert!(
            after.divergence_bound.is_none_or(|bound| bound == 0.0),
            "seed {seed}"
        );
    }
}

#[test]
fn pruning_twice_is_pruning_once() {
    let mut n_dropped = 0;
    for (seed, before) in circuits() {
        let once = by_weight(&before, 0.3);
        n_dropped += once.n_dropped;
        assert_sound(&once.circuit, seed);
        let new = once.circuit.checked.circuit();
        assert!(new.sums().all(|sum| new.n_children(sum) > 0));
        for property in [
            Property::Deterministic,
            Property::Structured,
            Property::Normalized,
        ] {
            assert_keeps(property, &before, new, seed);
        }
        let twice = by_weight(&once.circuit.checked, 0.3);
        assert_eq!(twice.n_dropped, 0, "seed {seed}\n{}", text_of(new));
        assert_eq!(
            text_of(twice.circuit.checked.circuit()),
            text_of(new),
            "seed {seed}"
        );
    }
    assert!(n_dropped > 1_000, "{n_dropped}");
}

/// The divergence by enumeration is at most what is promised.
#[test]
fn the_divergence_has_a_bound() {
    let (mut n_done, mut closest) = (0, 0.0f64);
    for (seed, before) in circuits() {
        let Some(all) = assignments(before.circuit(), 512) else {
            continue;
        };
        let after = by_weight(&before, 0.25);
        let Some(bound) = after.divergence_bound.filter(|_| after.n_dropped > 0) else {
            continue;
        };
        let new = after.circuit.checked.circuit();
        let log = |circuit: &CircuitGraph, row: &[f64]| {
            log_likelihood(circuit, &circuit.start_values(), row)
        };
        let divergence: f64 = all
            .map(|row| (log(new, &row), log(before.circuit(), &row)))
            .filter(|(p, _)| *p > f64::NEG_INFINITY)
            .map(|(p, q)| p.exp() * (p - q))
            .sum();
        assert!(
            divergence <= bound + 1e-9,
            "seed {seed}: {divergence} above {bound}"
        );
        closest = closest.max(divergence / bound.max(1e-300));
        n_done += 1;
    }
    println!("{n_done} bounds, the closest {closest}");
    assert!(n_done > 50 && closest > 0.5, "{n_done} {closest}");
}

#[test]
fn what_is_learned_stays_learned() {
    let before = read(
        "var x : 0..3; var y[0..2] : bool;
         param w[0..2] : simplex(3) = ?[[0.5, 0.4999, 0.0001], [0.3, 0.3, 0.4]];
         node a = w[0, 0]: [x = 0] + w[0, 1]: [x = 1] + w[0, 2]: [x = 2];
         node b = w[1, 0]: [x = 0] + w[1, 1]: [x = 1] + w[1, 2]: [x = 2];
         root ?0.6: a * y[0] ~ bernoulli(?0.3) * y[1] + ?0.3999: b * y[0] * y[1] + ?0.0001: b * y[0] * !y[1];",
    );
    let after = by_weight(&before, 0.001);
    assert_eq!((after.n_dropped, after.n_tied), (2, 0));
    let new = after.circuit.checked.circuit();
    assert_eq!(n_learned(new), n_learned(before.circuit()) - 2);
    let text = text_of(new);
    let _ = read(&text);
    let mut dice = Dice::new(1);
    let row = draw_row(&mut dice, new, false);
    assert!(
        log_at(new, &row).is_finite() || log_at(new, &row) == f64::NEG_INFINITY,
        "{text}"
    );
    assert_near(log_mass(new), 0.0, &text);
}

/// A vector that leaves use too, or sums in part, keeps its entries.
#[test]
fn tied_weights_that_cannot_shrink_stay() {
    let before = read(
        "var x, y : bool;
         param w : simplex(2) = ?[0.999, 0.001];
         root w[0]: x * y ~ categorical(w) + w[1]: !x * y ~ categorical(w);",
    );
    let after = by_weight(&before, 0.01);
    assert_eq!((after.n_dropped, after.n_tied), (0, 1));
}

#[test]
fn the_best_edge_stays_whatever_the_bound() {
    let before = read("var x : 0..3; root 0.2: [x = 0] + 0.5: [x = 1] + 0.3: [x = 2];");
    let after = by_weight(&before, 2.0);
    assert_eq!(after.n_dropped, 2);
    let row = Row::from([("x".to_string(), 1.0)]);
    assert_near(log_at(after.circuit.checked.circuit(), &row), 0.0, "x = 1");
    assert_near(after.divergence_bound.unwrap(), 2f64.ln(), "bound");
}

/// Equal weights in another order: all users of a vector keep the same entry.
#[test]
fn users_of_a_vector_agree() {
    let before = read(
        "var x, y : bool;
         param w : simplex(2) = ?[0.5, 0.5];
         root (w[0]: x + w[1]: !x) * (w[1]: !y + w[0]: y);",
    );
    let after = by_weight(&before, 0.75);
    assert_eq!(after.n_dropped, 2);
    let row = Row::from([("x".to_string(), 1.0), ("y".to_string(), 1.0)]);
    let other = Row::from([("x".to_string(), 0.0), ("y".to_string(), 0.0)]);
    let new = after.circuit.checked.circuit();
    let logs = [log_at(new, &row), log_at(new, &other)];
    assert!(logs.contains(&0.0), "{logs:?}");
}
