//! Circuits that are deep, wide, or alike: no stack, no time, no memory runs out.

use crate::kit::{checked, close, other_values};
use pelton_compiler::circuit::{CircuitGraph, Domain, ParameterEntry, UnitId};
use pelton_runtime::query::ValueBox;
use pelton_runtime::query::{InformationError, ScaledCircuit, count, divergence, entropy, moments};
use pelton_tests::dice::Dice;
use pelton_tests::sketch::Sketch;

/// A Markov chain of `n` bits: each is decided by a sum of its own for either value of
/// the one before.
fn chain(n: usize) -> CircuitGraph {
    let mut sketch = Sketch::new();
    let variables: Vec<_> = (0..n).map(|_| sketch.variable(Domain::Bool)).collect();
    let mut below: Option<[UnitId; 2]> = None;
    for &variable in variables.iter().rev() {
        let sides = [0, 1].map(|value| {
            let literal = sketch.literal(variable, value);
            match below {
                None => literal,
                Some([no, yes]) => sketch.product(&[literal, if value == 0 { no } else { yes }]),
            }
        });
        below = Some([0.3, 0.9].map(|p| {
            sketch.sum(&[
                (ParameterEntry::fixed(1.0 - p), sides[0]),
                (ParameterEntry::fixed(p), sides[1]),
            ])
        }));
    }
    let root = below.unwrap()[0];
    sketch.finish(root)
}

#[test]
fn a_long_chain() {
    let n = 20_000;
    let checked = checked(chain(n));
    let values = checked.circuit().start_values();
    let nats = entropy(&checked, &values, 1).unwrap().nats;
    // The chain by its two states.
    let h = |p: f64| -(p * p.ln() + (1.0 - p) * (1.0 - p).ln());
    let (mut expected, mut p) = (0.0, 0.0);
    for _ in 0..n {
        expected += (1.0 - p) * h(0.3) + p * h(0.9);
        p = (1.0 - p) * 0.3 + p * 0.9;
    }
    close(nats, expected, 1e-9, "entropy");
    let evidence = ValueBox::default();
    let scaled = ScaledCircuit::new(checked.circuit(), &values, &evidence).unwrap();
    let found = moments(&scaled, &evidence).unwrap();
    close(found.variables[n - 1].mean, p, 1e-12, "mean");
    assert_eq!(
        count(&checked, std::slice::from_ref(&evidence), 1)
            .unwrap()
            .models
            .bits(),
        n as u64 + 1
    );
    let other = other_values(checked.circuit(), &mut Dice::new(1), 0);
    let found = divergence((&checked, &values), (&checked, &other), 1).unwrap();
    assert!(found.nats > 0.0 && found.nats.is_finite());
    let none = divergence((&checked, &values), (&checked, &values), 1).unwrap();
    assert!(none.nats < 1e-9, "{none:?}");
}

/// Products that pair up variables in ways that cross: there is no polynomial way, and
/// the steps end.
#[test]
fn conflicting_splits_are_refused() {
    let n = 40;
    let build = |shift: usize| {
        let mut sketch = Sketch::new();
        let variables: Vec<_> = (0..n).map(|_| sketch.variable(Domain::Bool)).collect();
        let pairs = (0..n / 2).map(|at| {
            let (a, b) = (
                variables[(2 * at + shift) % n],
                variables[(2 * at + 1 + shift) % n],
            );
            let terms = [(0, 0, 0.1), (0, 1, 0.2), (1, 0, 0.3), (1, 1, 0.4)].map(|(x, y, p)| {
                let (x, y) = (sketch.literal(a, x), sketch.literal(b, y));
                (ParameterEntry::fixed(p), sketch.product(&[x, y]))
            });
            sketch.sum(&terms)
        });
        let pairs: Vec<_> = pairs.collect();
        let root = sketch.product(&pairs);
        checked(sketch.finish(root))
    };
    let (even, odd) = (build(0), build(1));
    let values = (even.circuit().start_values(), odd.circuit().start_values());
    let found = divergence((&even, &values.0), (&odd, &values.1), 1);
    match found {
        Ok(found) => assert!(found.nats.is_finite()),
        Err(InformationError::Refused(refusal)) => {
            let message = refusal.to_string();
            assert!(message.contains("conflicting ways"), "{message}");
            assert_eq!(refusal.culprits().len(), 2, "{refusal:?}");
        }
        Err(error) => panic!("{error}"),
    }
}
