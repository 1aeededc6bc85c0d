//! `multiply`: products of evaluations.

use crate::kit::*;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::Property;
use pelton_compiler::leaf::log_sum_exp;
use pelton_compiler::reference::assignments;
use pelton_compiler::transform::{
    MultipliedCircuit, TransformError, condition, marginalize, multiply,
};
use pelton_grammar::remedy::{RemedyOption, WordedError};
use pelton_tests::dice::Dice;

const MAX_SIZE: usize = 300_000;

fn product(
    left: &Checked,
    right: &Checked,
    is_normalized: bool,
) -> Result<MultipliedCircuit, TransformError> {
    let values = [left, right].map(|side| side.circuit().start_values());
    let sides = ((left, &values[0][..]), (right, &values[1][..]));
    multiply(sides.0, sides.1, is_normalized, MAX_SIZE)
}

/// Circuits that split variables like a given one: itself, a marginal, a conditional.
fn relatives(seed: u64, checked: &Checked) -> Vec<Checked> {
    let circuit = checked.circuit();
    let values = circuit.start_values();
    let mut dice = Dice::new(seed + 4);
    let mut relatives = vec![checked.clone()];
    let kept: Vec<bool> = circuit
        .variables()
        .iter()
        .map(|_| dice.chance(60))
        .collect();
    if let Ok(marginal) = marginalize(checked, &values, |id| kept[id.index()]) {
        relatives.push(marginal.checked);
    }
    let region = draw_region(&mut dice, circuit);
    if let Ok(given) = condition(checked, &values, &[region], false, MAX_SIZE) {
        relatives.push(given.circuit.checked);
    }
    relatives
}

#[test]
fn a_product_is_the_product_of_evaluations() {
    let (mut n_done, mut n_refused, mut n_zero) = (0, 0, 0);
    for (seed, left) in circuits() {
        for right in relatives(seed, &left) {
            let found = match product(&left, &right, false) {
                Ok(found) => found,
                Err(error @ (TransformError::Circuit(_) | TransformError::Refused(_))) => {
                    let message = error.to_string();
                    let is_told = ["crosses", "no product in closed form", "max-size"];
                    assert!(
                        is_told.iter().any(|text| message.contains(text)),
                        "{message}"
                    );
                    n_refused += 1;
                    continue;
                }
                Err(TransformError::Zero(_)) => {
                    n_zero += 1;
                    continue;
                }
                Err(error) => panic!("seed {seed}: {error}"),
            };
            n_done += 1;
            let new = found.circuit.checked.circuit();
            assert_near(log_mass(new), found.log_mass, &format!("seed {seed}"));
            assert_sound(&found.circuit, seed);
            if left.facts().is_proven(Property::Deterministic) {
                let again = checked(right.circuit().clone()).unwrap();
                assert_keeps(Property::Deterministic, &again, new, seed);
            }
            let turned = product(&right, &left, false).unwrap();
            let turned = turned.circuit.checked.circuit();
            let mut dice = Dice::new(seed + 5);
            for _ in 0..N_ROWS {
                let row = draw_row(&mut dice, new, false);
                let expected = log_at(left.circuit(), &row) + log_at(right.circuit(), &row);
                let context = format!("seed {seed}, {row:?}\n{}", text_of(new));
                assert_near(log_at(new, &row), expected, &context);
                assert_near(log_at(turned, &row), expected, &context);
            }
        }
    }
    println!("{n_done} multiplied, {n_refused} refused, {n_zero} zero");
    assert!(n_done > 500 && n_refused > 20);
}

#[test]
fn the_mass_is_that_of_enumeration() {
    let mut n_done = 0;
    for (seed, left) in circuits() {
        let Some(all) = assignments(left.circuit(), 512) else {
            continue;
        };
        // What the root does not mention would be counted once for each value.
        let n_mentioned = left.facts().scopes().of(left.circuit().root()).len();
        if n_mentioned < left.circuit().variables().len() {
            continue;
        }
        let Ok(found) = product(&left, &left, true) else {
            continue;
        };
        let values = left.circuit().start_values();
        let log = |row: Vec<f64>| {
            2.0 * pelton_compiler::reference::log_likelihood(left.circuit(), &values, &row)
        };
        let logs: Vec<f64> = all.map(log).collect();
        assert_near(found.log_mass, log_sum_exp(logs), &format!("seed {seed}"));
        let new = found.circuit.checked.circuit();
        assert_near(log_mass(new), 0.0, &format!("seed {seed}"));
        assert!(
            checked(new.clone())
                .unwrap()
                .facts()
                .is_proven(Property::Normalized)
        );
        n_done += 1;
    }
    assert!(n_done > 100, "{n_done}");
}

#[test]
fn normal_leaves_multiply_in_closed_form() {
    let left = read("var x : real; root x ~ normal(1, 2) in [0, 5];");
    let right =
        read("var x : real; root 0.5: x ~ normal(3, 1) + 0.5: x ~ normal(-1, 0.5) in (-inf, 2);");
    let found = product(&left, &right, false).unwrap();
    let new = found.circuit.checked.circuit();
    // The mass against a sum over a fine grid.
    let n = 200_000;
    let step = 5.0 / f64::from(n);
    let at = |circuit, x: f64| log_at(circuit, &Row::from([("x".to_string(), x)]));
    let sum: f64 = (0..n)
        .map(|k| (f64::from(k) + 0.5) * step)
        .map(|x| (at(left.circuit(), x) + at(right.circuit(), x)).exp() * step)
        .sum();
    assert!(
        (found.log_mass.exp() - sum).abs() < 1e-6,
        "{} {sum}",
        found.log_mass.exp()
    );
    for x in [-0.5, 0.0, 1.25, 2.0, 4.0, 5.0, 5.5] {
        let expected = at(left.circuit(), x) + at(right.circuit(), x);
        assert_near(at(new, x), expected, &format!("{x}"));
    }
}

#[test]
fn variables_that_are_not_shared_stay_independent() {
    let left = read("var a, b : bool; root 0.5: a * b + 0.5: !a * !b;");
    let right = read("var b, c : bool; root 0.25: b * c + 0.75: !b * !c;");
    let found = product(&left, &right, true).unwrap();
    let text = text_of(found.circuit.checked.circuit());
    assert_near(found.log_mass, 0.5f64.ln(), &text);
    let row = ["a", "b", "c"].map(|name| (name.to_string(), 1.0));
    let log = log_at(found.circuit.checked.circuit(), &Row::from(row));
    assert_near(log, 0.25f64.ln(), &text);
}

#[test]
fn what_cannot_be_multiplied_is_told() {
    let message = |left: &str, right: &str| {
        product(&read(left), &read(right), true)
            .unwrap_err()
            .to_string()
    };
    let crossing = message(
        "var a, b, c, d : bool;
         node ab = 0.5: a * b + 0.5: !a * !b; node cd = 0.5: c * d + 0.5: !c * !d;
         root ab * cd;",
        "var a, b, c, d : bool;
         node ac = 0.5: a * c + 0.5: !a * !c; node bd = 0.5: b * d + 0.5: !b * !d;
         root ac * bd;",
    );
    assert!(
        crossing.contains("`ab` over {a, b}") && crossing.contains("`ac` over {a, c}"),
        "{crossing}"
    );
    let leaves = message(
        "var n : nat; root n ~ poisson(2);",
        "var n : nat; node slow = n ~ geometric(0.5); root slow;",
    );
    assert!(
        leaves.contains("`poisson`") && leaves.contains("`geometric`") && leaves.contains("`n`"),
        "{leaves}"
    );
    let domains = message(
        "var x : 0..3; root x ~ uniform();",
        "var x : 0..4; root x ~ uniform();",
    );
    assert!(
        domains.contains("0..3") && domains.contains("0..4") && domains.contains("`x`"),
        "{domains}"
    );
    let nothing = message("var a : bool; root a;", "var a : bool; root !a;");
    assert!(nothing.contains("zero for every input"), "{nothing}");
}

#[test]
fn the_size_is_limited() {
    let text = "var x[0..6] : bool;
        node z[t in 0..6, k in 0..8] = x[t] ~ bernoulli((k + 1) / 10)
            * (if t == 5 { prod i in 0..0 { z[5, 0] } } else { sum j in 0..8 { 1/8: z[t + 1, j] } });
        root sum k in 0..8 { 1/8: z[0, k] };";
    let checked = read(text);
    let values = checked.circuit().start_values();
    let side = (&checked, &values[..]);
    let refused = multiply(side, side, true, 1_000).unwrap_err();
    let helps = |option| option == RemedyOption::RaiseSizeLimit;
    assert!(refused.remedy_text().options().any(helps), "{refused}");
    assert!(multiply(side, side, true, 1_000_000).is_ok());
}

/// Chains are as long as their author likes: nothing recurses.
#[test]
fn long_chains_need_no_deep_stack() {
    let text = "const T = 3000; var x[0..T] : bool;
        node z[t in 0..T] = if t + 1 == T { x[t] } else { 0.5: x[t] * z[t + 1] + 0.5: !x[t] * z[t + 1] };
        root z[0];";
    let checked = read(text);
    let found = product(&checked, &checked, true).unwrap();
    let again = read(&text_of(found.circuit.checked.circuit()));
    assert_near(log_mass(again.circuit()), 0.0, "mass");
    let values = checked.circuit().start_values();
    let half = marginalize(&checked, &values, |id| id.index() % 2 == 0).unwrap();
    assert_near(log_mass(half.checked.circuit()), 0.0, "mass");
}
