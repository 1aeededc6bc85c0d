//! Estimates from samples, within their own standard errors of what is exact.

use crate::kit::{checked, of_text, other_values, tree};
use pelton_compiler::check::DeterminismLimits;
use pelton_compiler::circuit::VarId;
use pelton_runtime::query::{
    Estimate, EstimateOptions, cross_entropy, divergence, entropy, estimate_divergence,
    estimate_entropy, estimate_mutual_information, mutual_information,
};
use pelton_tests::dice::Dice;

#[track_caller]
fn is_near(found: Estimate, exact: f64, name: &str) {
    let distance = (found.nats - exact).abs();
    // Four standard errors: of the few numbers here none is so far off by chance.
    assert!(
        distance <= 4.0 * found.standard_error + 1e-12,
        "{name}: {found:?}, not {exact}"
    );
}

const SAMPLING: EstimateOptions = EstimateOptions {
    n_samples: 4000,
    seed: 7,
    n_threads: 1,
};

#[test]
fn estimates_are_near() {
    for seed in 0..12 {
        let dice = &mut Dice::new(seed);
        let a = checked(tree(5, dice, 10));
        let values = a.circuit().start_values();
        let other = other_values(a.circuit(), dice, 0);
        let name = format!("seed {seed}");
        let found = estimate_entropy((&a, &values), &SAMPLING).unwrap();
        assert_eq!(found.n_samples, 4000);
        is_near(found, entropy(&a, &values, 1).unwrap().nats, &name);
        let pair = ((&a, &values[..]), (&a, &other[..]));
        let found = estimate_divergence(pair.0, pair.1, false, &SAMPLING).unwrap();
        is_near(found, divergence(pair.0, pair.1, 1).unwrap().nats, &name);
        let sets = ([VarId::new(0)], [VarId::new(2), VarId::new(3)]);
        let sets = (&sets.0[..], &sets.1[..]);
        let exact =
            mutual_information(&a, &values, sets, &DeterminismLimits::default(), 1).unwrap();
        let found = estimate_mutual_information((&a, &values), sets, &SAMPLING).unwrap();
        is_near(found, exact.nats, &name);
    }
}

/// Leaves over infinite domains, where both circuits are deterministic too.
#[test]
fn estimates_of_densities_are_near() {
    let head = "var c : bool;\nvar x : real;\nvar n : nat;\n";
    let a = of_text(&format!(
        "{head}root 0.3: c * x ~ normal(0, 1) * n ~ poisson(2) + 0.7: !c * x ~ gamma(3, 2) * n ~ geometric(0.5);\n"
    ));
    let b = of_text(&format!(
        "{head}root 0.5: c * x ~ normal(1, 2) * n ~ poisson(3) + 0.5: !c * x ~ lognormal(0, 1) * n ~ poisson(1);\n"
    ));
    let values = (a.circuit().start_values(), b.circuit().start_values());
    let found = estimate_entropy((&a, &values.0), &SAMPLING).unwrap();
    is_near(found, entropy(&a, &values.0, 1).unwrap().nats, "entropy");
    let pair = ((&a, &values.0[..]), (&b, &values.1[..]));
    let found = estimate_divergence(pair.0, pair.1, false, &SAMPLING).unwrap();
    is_near(
        found,
        divergence(pair.0, pair.1, 1).unwrap().nats,
        "divergence",
    );
    let found = estimate_divergence(pair.0, pair.1, true, &SAMPLING).unwrap();
    is_near(
        found,
        cross_entropy(pair.0, pair.1, 1).unwrap().nats,
        "cross entropy",
    );
    let again = EstimateOptions {
        n_threads: 2,
        ..SAMPLING
    };
    let twice = estimate_divergence(pair.0, pair.1, true, &again).unwrap();
    assert_eq!(found, twice, "threads change nothing");
}

/// One sample that the second circuit excludes decides.
#[test]
fn a_sample_may_show_that_a_divergence_is_infinite() {
    let coin = |p: &str| of_text(&format!("var a : bool;\nroot a ~ bernoulli({p});\n"));
    let (a, b) = (coin("0.5"), coin("1"));
    let values = (a.circuit().start_values(), b.circuit().start_values());
    let found = estimate_divergence((&a, &values.0), (&b, &values.1), false, &SAMPLING).unwrap();
    assert_eq!(found.nats, f64::INFINITY);
}
