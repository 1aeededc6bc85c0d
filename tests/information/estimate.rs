//! Estimates from samples, within their own standard errors of what is exact.

use crate::kit::{checked, other_values, states, tree};
use pelton_compiler::check::Limits;
use pelton_compiler::circuit::{Circuit, Value, VarId};
use pelton_runtime::data::Table;
use pelton_runtime::information::{
    Estimate, divergence, entropy, estimate_divergence, estimate_entropy,
    estimate_mutual_information, mutual_information,
};
use pelton_tests::dice::Dice;

/// Rows drawn from all states by their probabilities.
fn drawn(circuit: &Circuit, values: &[Value], n: usize, dice: &mut Dice) -> Table {
    let states = states(circuit, values);
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|_| {
            let mut left = dice.fraction();
            let last = states.len() - 1;
            let at = states.iter().position(|(_, p)| {
                left -= p;
                left < 0.0
            });
            states[at.unwrap_or(last)].0.clone()
        })
        .collect();
    Table::from_assignments(circuit, &rows)
}

#[track_caller]
fn is_near(found: Estimate, exact: f64, name: &str) {
    let distance = (found.nats - exact).abs();
    // Four standard errors: of the few numbers here none is so far off by chance.
    assert!(
        distance <= 4.0 * found.standard_error + 1e-12,
        "{name}: {found:?}, not {exact}"
    );
}

#[test]
fn estimates_are_near() {
    for seed in 0..12 {
        let dice = &mut Dice::new(seed);
        let a = checked(tree(5, dice, 10));
        let values = a.circuit().start_values();
        let other = other_values(a.circuit(), dice, 0);
        let samples = drawn(a.circuit(), &values, 4000, dice);
        let name = format!("seed {seed}");
        let found = estimate_entropy((&a, &values), &samples, 1).unwrap();
        assert_eq!(found.n_samples, 4000);
        is_near(found, entropy(&a, &values, 1).unwrap().nats, &name);
        let pair = ((&a, &values[..]), (&a, &other[..]));
        let found = estimate_divergence(pair.0, pair.1, false, &samples, 1).unwrap();
        is_near(found, divergence(pair.0, pair.1, 1).unwrap().nats, &name);
        let sets = ([VarId::new(0)], [VarId::new(2), VarId::new(3)]);
        let sets = (&sets.0[..], &sets.1[..]);
        let exact = mutual_information(&a, &values, sets, &Limits::default(), 1).unwrap();
        let found = estimate_mutual_information((&a, &values), sets, &samples, 1).unwrap();
        is_near(found, exact.nats, &name);
    }
}

/// One sample that the second circuit excludes decides.
#[test]
fn a_sample_may_show_that_a_divergence_is_infinite() {
    let coin = |p: &str| crate::kit::of_text(&format!("var a : bool;\nroot a ~ bernoulli({p});\n"));
    let (a, b) = (coin("0.5"), coin("1"));
    let values = (a.circuit().start_values(), b.circuit().start_values());
    let samples = Table::from_assignments(a.circuit(), &[vec![1.0], vec![0.0], vec![1.0]]);
    let found = estimate_divergence((&a, &values.0), (&b, &values.1), false, &samples, 1).unwrap();
    assert_eq!(found.nats, f64::INFINITY);
}
