//! Divergence and cross entropy.

use crate::kit::{checked, close, decisions, of_text, other_values, states, tree};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::reference::log_likelihood;
use pelton_runtime::query::{AnswerMethod, InformationError, cross_entropy, divergence, entropy};
use pelton_tests::dice::Dice;

/// Divergence and cross entropy by adding up states; both circuits list their variables
/// in one order.
fn expected(
    a: (&CircuitGraph, &[ParameterValue]),
    b: (&CircuitGraph, &[ParameterValue]),
) -> (f64, f64) {
    let total: f64 = states(a.0, a.1).len() as f64;
    assert!(total > 0.0);
    let of_b: std::collections::HashMap<Vec<u64>, f64> = states(b.0, b.1)
        .into_iter()
        .map(|(row, p)| (row.iter().map(|x| x.to_bits()).collect(), p))
        .collect();
    let (mut kl, mut cross) = (0.0, 0.0);
    for (row, p) in states(a.0, a.1) {
        let key: Vec<u64> = row.iter().map(|x| x.to_bits()).collect();
        let q = of_b.get(&key).copied().unwrap_or(0.0);
        kl += p * (p.ln() - q.ln());
        cross -= p * q.ln();
    }
    (kl, cross)
}

#[track_caller]
fn compare(a: (&Checked, &[ParameterValue]), b: (&Checked, &[ParameterValue]), name: &str) -> bool {
    let (kl, cross) = expected((a.0.circuit(), a.1), (b.0.circuit(), b.1));
    let found = divergence(a, b, 1).unwrap();
    assert_eq!(found.method, AnswerMethod::Structure, "{name}");
    let found_cross = cross_entropy(a, b, 1).unwrap();
    if kl.is_infinite() {
        assert_eq!(
            (found.nats, found_cross.nats),
            (f64::INFINITY, f64::INFINITY),
            "{name}"
        );
        return true;
    }
    close(found.nats, kl, 1e-10, name);
    close(found_cross.nats, cross, 1e-10, name);
    let own = entropy(a.0, a.1, 1).unwrap().nats;
    close(found_cross.nats - own, kl, 1e-10, name);
    false
}

#[test]
fn one_structure_with_other_parameters() {
    let (mut n_finite, mut n_infinite) = (0, 0);
    for (seed, checked) in decisions(0..300) {
        let dice = &mut Dice::new(seed);
        let first = other_values(checked.circuit(), dice, 0);
        let second = other_values(checked.circuit(), dice, 1);
        if states(checked.circuit(), &first).is_empty()
            || states(checked.circuit(), &second).is_empty()
        {
            continue;
        }
        if compare(
            (&checked, &first),
            (&checked, &second),
            &format!("seed {seed}"),
        ) {
            n_infinite += 1
        } else {
            n_finite += 1
        }
        let none = divergence((&checked, &first), (&checked, &first), 1).unwrap();
        assert!(none.nats.abs() < 1e-14, "seed {seed}: {none:?}");
    }
    println!("{n_finite} finite, {n_infinite} infinite");
    assert!(n_finite > 50 && n_infinite > 5, "{n_finite} {n_infinite}");
}

/// Circuits that decide their variables in different orders on every path.
#[test]
fn structures_that_have_nothing_in_common() {
    let (mut n_finite, mut n_infinite) = (0, 0);
    for seed in 0..200 {
        let dice = &mut Dice::new(seed);
        let n = 1 + dice.below(6);
        let (a, b) = (
            tree(n, dice, 20),
            tree(n, dice, if seed % 2 == 0 { 0 } else { 5 }),
        );
        let (a, b) = (checked(a), checked(b));
        let (first, second) = (a.circuit().start_values(), b.circuit().start_values());
        if compare((&a, &first), (&b, &second), &format!("seed {seed}")) {
            n_infinite += 1
        } else {
            n_finite += 1
        }
    }
    println!("{n_finite} finite, {n_infinite} infinite");
    assert!(n_finite > 50 && n_infinite > 20, "{n_finite} {n_infinite}");
}

/// The mean of a log ratio under the first circuit, by integration over x and both c.
fn integrated(a: &Checked, b: &Checked) -> f64 {
    let (va, vb) = (a.circuit().start_values(), b.circuit().start_values());
    let (n, low, high) = (200_000, -40.0, 60.0);
    let step = (high - low) / f64::from(n);
    let mut sum = 0.0;
    for at in 0..n {
        let x = low + (f64::from(at) + 0.5) * step;
        for c in [0.0, 1.0] {
            let log_p = log_likelihood(a.circuit(), &va, &[c, x]);
            let log_q = log_likelihood(b.circuit(), &vb, &[c, x]);
            if log_p > f64::NEG_INFINITY {
                sum += step * log_p.exp() * (log_p - log_q);
            }
        }
    }
    sum
}

#[test]
fn densities_against_integration() {
    let head = "var c : bool;\nvar x : real;\n";
    let texts = [
        "root 0.3: c * x ~ normal(0, 1) + 0.7: !c * x ~ normal(3, 2);",
        "root 0.6: c * x ~ normal(1, 3) + 0.4: !c * x ~ normal(2, 1);",
        "root (0.5: c + 0.5: !c) * (0.5: x ~ normal(0, 2) in (-inf, 1) + 0.5: x ~ normal(0, 4) in [1, inf));",
        "root 0.2: c * (0.1: x ~ normal(1, 1) in (-inf, 2) + 0.9: x ~ normal(1, 5) in [2, inf)) + 0.8: !c * x ~ normal(0, 4);",
    ];
    let circuits: Vec<Checked> = texts
        .iter()
        .map(|text| of_text(&format!("{head}{text}\n")))
        .collect();
    for (i, a) in circuits.iter().enumerate() {
        for (j, b) in circuits.iter().enumerate() {
            let values = (a.circuit().start_values(), b.circuit().start_values());
            let found = divergence((a, &values.0), (b, &values.1), 1).unwrap();
            assert_eq!(found.method, AnswerMethod::Structure);
            close(found.nats, integrated(a, b), 1e-5, &format!("{i} and {j}"));
        }
    }
}

/// A support that is larger by little, or by an end point only.
#[test]
fn supports_are_compared_exactly() {
    let of = |text: &str| of_text(&format!("var x : real;\nvar c : bool;\n{text}\n"));
    let kl = |a: &Checked, b: &Checked| {
        divergence(
            (a, &a.circuit().start_values()),
            (b, &b.circuit().start_values()),
            1,
        )
        .unwrap()
        .nats
    };
    let rare = of("root exp(-60): c * x ~ uniform(0, 1) + 1: !c * x ~ uniform(0, 1);");
    let never = of("root !c * x ~ uniform(0, 1);");
    assert_eq!(kl(&rare, &never), f64::INFINITY);
    assert!(kl(&never, &rare).abs() < 1e-12);
    let closed = of("root c * x ~ normal(0, 1) in [0, 1];");
    let open = of("root c * x ~ normal(0, 1) in (0, 1);");
    assert!(kl(&closed, &open).abs() < 1e-12);
    let halves =
        of("root c * (0.5: x ~ normal(0, 1) in [0, 0.5) + 0.5: x ~ normal(0, 1) in [0.5, 1]);");
    assert!(kl(&closed, &halves).is_finite());
}

#[test]
fn what_does_not_go_together_is_told() {
    let of = |text: &str| of_text(text);
    let ask = |a: &Checked, b: &Checked| {
        let values = (a.circuit().start_values(), b.circuit().start_values());
        divergence((a, &values.0), (b, &values.1), 1)
    };
    let one = of("var a : bool;\nroot 0.5: a + 0.5: !a;\n");
    let two = of("var a, b : bool;\nroot a ~ bernoulli(0.5) * b ~ bernoulli(0.5);\n");
    let other = of("var a : 0..2;\nroot a ~ uniform();\n");
    assert!(
        ask(&one, &two)
            .unwrap_err()
            .to_string()
            .contains("only the second circuit mentions `b`")
    );
    assert!(
        ask(&two, &one)
            .unwrap_err()
            .to_string()
            .contains("only the first circuit mentions `b`")
    );
    assert!(
        ask(&one, &other)
            .unwrap_err()
            .to_string()
            .contains("`a` is bool in the first")
    );
    // Mixtures of few states are enumerated, those of reals refused.
    let mixture = of(
        "var a, b : bool;\nroot 0.5: a ~ bernoulli(0.1) * b ~ bernoulli(0.2) + 0.5: a ~ bernoulli(0.7) * b ~ bernoulli(0.6);\n",
    );
    let found = ask(&mixture, &two).unwrap();
    assert_eq!(found.method, AnswerMethod::Enumeration { n_states: 4 });
    let values = (
        mixture.circuit().start_values(),
        two.circuit().start_values(),
    );
    let (kl, _) = expected((mixture.circuit(), &values.0), (two.circuit(), &values.1));
    close(found.nats, kl, 1e-12, "mixture");
    let reals = of("var x : real;\nroot 0.5: x ~ normal(0, 1) + 0.5: x ~ normal(1, 1);\n");
    let single = of("var x : real;\nroot x ~ normal(0, 1);\n");
    assert!(matches!(
        ask(&reals, &single),
        Err(InformationError::Refused(_))
    ));
    // The cross entropy needs less.
    let values = (
        reals.circuit().start_values(),
        single.circuit().start_values(),
    );
    let cross = cross_entropy((&reals, &values.0), (&single, &values.1), 1).unwrap();
    let expected = 0.5 * std::f64::consts::TAU.ln() + 0.5 * (0.5 * 1.0 + 0.5 * 2.0);
    close(cross.nats, expected, 1e-12, "cross entropy");
}
