//! Smoothing and normalizing, and that they say what they did.

use super::{FillRule, normalize, smooth};
use crate::check::tests::sketch::{Sketch, Sketched};
use crate::circuit::*;
use pelton_grammar::diagnostic::{Code, SourceDiagnostics};

/// A sum of four children over `a`, `b` and `c`, three of them short, two alike.
fn short(c_domain: Domain) -> Sketched {
    let mut s = Sketch::new("node n = a + b; assert root is smooth");
    let [a, b] = s.booleans(["a", "b"]);
    let c = s.variable("c", c_domain);
    let leaves = [
        (s.literal(a, 1), ""),
        (s.literal(b, 1), ""),
        (s.uniform(c, 0.0, 3.0), ""),
    ];
    let full = s.product(&leaves, "");
    let [one, two, only_b] = [s.literal(a, 0), s.literal(a, 1), s.literal(b, 0)];
    let terms = [
        (0.1, full, ""),
        (0.2, one, ""),
        (0.3, two, "a"),
        (0.4, only_b, "b"),
    ];
    let root = s.sum(Some(("n", &[])), &terms, "a + b");
    s.assert(root, Property::Smooth);
    s.finish(root)
}

fn smoothed(sketched: &Sketched) -> (Sketched, SourceDiagnostics) {
    let mut found = SourceDiagnostics::new();
    let circuit = smooth(
        sketched.circuit.clone(),
        FillRule::Uniform,
        |_| true,
        &mut found,
    );
    let sources = sketched.sources.clone();
    (Sketched { circuit, sources }, found)
}

#[test]
fn smoothing_fills_shares_and_says_so() {
    let before = short(Domain::Range { low: 0, high: 3 });
    assert_eq!(before.codes(), [Code::NotSmooth]);
    let (after, found) = smoothed(&before);
    assert!(after.codes().is_empty());
    let note = found.iter().next().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(note.code, Code::Smoothed);
    assert_eq!(
        note.message,
        "smoothing multiplied 3 children of 1 sum by uniform distributions over what they miss"
    );
    let filled = "filled in: a ~ bernoulli(0.5), b ~ bernoulli(0.5), c ~ uniform()";
    assert_eq!(note.notes[0], filled);
    // Leaves of a, b and c; products for {b, c} and {a, c}; one for each filled child.
    let n_new = after.circuit.n_units() - before.circuit.n_units();
    assert_eq!(
        n_new,
        2 + 2 + 3,
        "c's filler was there already, {{b, c}} is shared"
    );
    let circuit = &after.circuit;
    assert_eq!(circuit.describe(circuit.root()), "sum node `n`");
    assert_eq!(circuit.assertions()[0].target, circuit.root());
    let weights: Vec<f64> = circuit
        .children(circuit.root())
        .map(|child| circuit.entry(child.weight.unwrap()).value.unwrap().linear())
        .collect();
    assert_eq!(weights, [0.1, 0.2, 0.3, 0.4]);
}

#[test]
fn smoothing_is_idempotent_and_leaves_what_was_not_asked_for() {
    let before = short(Domain::Bool);
    let (once, _) = smoothed(&before);
    let (twice, found) = smoothed(&once);
    assert!(found.is_empty());
    assert_eq!(twice.circuit.n_units(), once.circuit.n_units());
    let untouched = smooth(
        before.circuit.clone(),
        FillRule::Uniform,
        |_| false,
        &mut SourceDiagnostics::new(),
    );
    assert_eq!(untouched.n_units(), before.circuit.n_units());
}

#[test]
fn a_real_variable_cannot_be_filled() {
    let before = short(Domain::Real);
    let (after, mut found) = smoothed(&before);
    assert_eq!(
        found.iter().map(|d| d.code).collect::<Vec<_>>(),
        [Code::NotSmooth]
    );
    // The check that follows finds the same and does not say it again.
    let (_, again) = after.examine();
    found.extend(again);
    assert_eq!(found.len(), 1);
}

#[test]
fn normalizing_scales_fixed_weights_and_says_so() {
    let mut s = Sketch::new("2: a + 6: !a");
    let [a] = s.booleans(["a"]);
    let terms = [(2.0, s.literal(a, 1), "a"), (6.0, s.literal(a, 0), "!a")];
    let root = s.sum(Some(("n", &[])), &terms, "2: a + 6: !a");
    let before = s.finish(root);
    let mut found = SourceDiagnostics::new();
    let circuit = normalize(before.circuit, |_| true, &mut found);
    assert_eq!(
        found.iter().map(|d| d.code).collect::<Vec<_>>(),
        [Code::Normalized]
    );
    let values = circuit
        .children(circuit.root())
        .map(|child| child.weight.unwrap());
    let values: Vec<_> = values
        .map(|weight| circuit.entry(weight).value.unwrap().linear())
        .collect();
    assert_eq!(values, [0.25, 0.75]);
    let again = normalize(circuit, |_| true, &mut SourceDiagnostics::new());
    let sources = before.sources;
    let after = Sketched {
        circuit: again,
        sources,
    };
    assert_eq!(after.verdict(Property::Normalized), "proven");
}
