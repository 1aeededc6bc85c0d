//! Leaves drawn from, and their means, against their cumulative distributions.

use crate::kit::{circuit, excess};
use pelton_compiler::circuit::{CircuitGraph, Cut, ParameterValue, ValueSet};
use pelton_compiler::leaf::{LeafSampler, log_density, log_mass, mean_and_variance};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const N: usize = 20_000;

/// One leaf of each family, plain and truncated.
const LEAVES: &[(&str, &str)] = &[
    ("real", "normal(3, 2)"),
    ("real", "normal(3, 2) in [4, 9)"),
    ("real", "normal(0, 1) in [6, inf)"),
    ("real", "lognormal(0.5, 0.8)"),
    ("real", "lognormal(0.5, 0.8) in [1, 4)"),
    ("real", "exponential(0.7)"),
    ("real", "exponential(0.7) in [2, 3)"),
    ("real", "laplace(1.5, 2)"),
    ("real", "laplace(1.5, 2) in [-3, 2)"),
    ("real", "laplace(0, 1) in [40, inf)"),
    ("real", "gamma(0.4, 2)"),
    ("real", "gamma(5, 2)"),
    ("real", "gamma(5, 2) in [3, 7)"),
    ("real", "uniform(-2, 7)"),
    ("real", "histogram([0, 1, 4, 6], [0.2, 0.5, 0.3])"),
    ("nat", "poisson(6.5)"),
    ("nat", "poisson(400) in [380, 430]"),
    ("nat", "geometric(0.2)"),
    ("nat", "negative_binomial(3, 0.3)"),
    ("nat", "binomial(40, 0.3)"),
    ("nat", "hypergeometric(50, 20, 12)"),
    ("0..12", "poisson(6.5) in 0..12"),
    ("bool", "bernoulli(0.3)"),
];

/// Leaves with large parameters, whose samplers are others.
const WIDE: &[(&str, &str)] = &[
    ("real", "gamma(1e12, 0.3)"),
    ("real", "gamma(3e15, 1)"),
    ("real", "gamma(0.05, 2)"),
    ("nat", "poisson(1e9)"),
    ("nat", "poisson(1e14)"),
    ("nat", "poisson(1e9) in [1000040000, inf)"),
    ("nat", "poisson(1e9) in 999900000..999970000"),
    ("nat", "geometric(1e-9)"),
    ("nat", "geometric(1e-9) in [5e9, inf)"),
    ("nat", "negative_binomial(3, 1e-9)"),
    ("nat", "negative_binomial(1000000, 0.1)"),
    ("nat", "binomial(16000000, 0.3)"),
    ("nat", "hypergeometric(500, 250, 250)"),
    ("nat", "hypergeometric(16000000, 4000000, 30000)"),
];

fn leaf_of(domain: &str, leaf: &str) -> (CircuitGraph, Vec<ParameterValue>) {
    let checked = circuit(&format!("var x : {domain}; root x ~ {leaf};"));
    let values = checked.circuit().start_values();
    (checked.circuit().clone(), values)
}

/// The whole domain, and a part of it with a gap.
fn sets(circuit: &CircuitGraph) -> Vec<ValueSet> {
    let domain = &circuit.variables()[0].domain;
    let is_discrete = domain.is_discrete();
    let run = |low, high| ValueSet::between(Cut::before(low), Cut::before(high), is_discrete);
    let mut sets = vec![domain.full(), run(0.5, 6.5).union(&run(8.0, 600.0))];
    if domain.size() == Some(2) {
        sets.truncate(1);
    }
    sets
}

/// Cuts between which there is about equal mass, from the samples themselves.
fn bins(mut samples: Vec<f64>) -> Vec<f64> {
    samples.sort_by(f64::total_cmp);
    let mut cuts: Vec<f64> = (1..40).map(|at| samples[at * samples.len() / 40]).collect();
    cuts.dedup();
    cuts
}

#[test]
fn leaves_are_drawn_as_their_distribution_says() {
    for (at, (domain, text)) in LEAVES.iter().chain(WIDE).enumerate() {
        let (circuit, values) = leaf_of(domain, text);
        let leaf = &circuit.leaves()[0];
        for set in sets(&circuit) {
            let log_total = log_mass(&circuit, &values, leaf, &set);
            // Far out in a tail all samples may be one number.
            if log_total < -600.0 {
                continue;
            }
            let sampler = LeafSampler::new(&circuit, &values, leaf, &set);
            let mut random = ChaCha8Rng::seed_from_u64(at as u64);
            let first: Vec<f64> = (0..N).map(|_| sampler.draw(&mut random)).collect();
            assert!(first.iter().all(|&x| set.contains(x)), "{text}");
            let is_positive =
                |&x: &f64| log_density(&circuit, &values, leaf, x) > f64::NEG_INFINITY;
            assert!(first.iter().all(is_positive), "{text}");
            let is_integer = |x: &f64| x.fract() == 0.0 && *x < 9e15;
            let is_discrete = circuit.variables()[0].domain.is_discrete();
            assert!(!is_discrete || first.iter().all(is_integer), "{text}");
            let cuts = bins(first);
            let second: Vec<f64> = (0..N).map(|_| sampler.draw(&mut random)).collect();
            let ends = [f64::NEG_INFINITY].into_iter().chain(cuts.clone());
            let ends: Vec<f64> = ends.chain([f64::INFINITY]).collect();
            let (mut counts, mut expected) = (Vec::new(), Vec::new());
            for pair in ends.windows(2) {
                let bin =
                    ValueSet::between(Cut::before(pair[0]), Cut::before(pair[1]), is_discrete);
                let inside = second
                    .iter()
                    .filter(|&&x| x >= pair[0] && x < pair[1])
                    .count();
                counts.push(inside as f64);
                let log = log_mass(&circuit, &values, leaf, &bin.intersect(&set));
                expected.push(N as f64 * (log - log_total).exp());
            }
            let excess = excess(&counts, &expected);
            assert!(excess < 0.0, "{text}: {excess}, {counts:?} {expected:?}");
        }
    }
}

#[test]
fn means_and_variances_are_those_of_quantiles() {
    for (domain, text) in LEAVES {
        let (circuit, values) = leaf_of(domain, text);
        let leaf = &circuit.leaves()[0];
        for set in sets(&circuit) {
            let log_total = log_mass(&circuit, &values, leaf, &set);
            if log_total == f64::NEG_INFINITY {
                continue;
            }
            let (mean, variance) = mean_and_variance(&circuit, &values, leaf, &set);
            let (expected, spread) = integrated(&circuit, &values, &set);
            let close = |a: f64, b: f64| (a - b).abs() < 2e-3 * (1.0 + b.abs());
            assert!(close(mean, expected), "{text}: mean {mean}, not {expected}");
            assert!(
                close(variance, spread),
                "{text}: variance {variance}, not {spread}"
            );
        }
    }
}

/// Mean and variance from masses of many short intervals.
fn integrated(circuit: &CircuitGraph, values: &[ParameterValue], set: &ValueSet) -> (f64, f64) {
    let leaf = &circuit.leaves()[0];
    let is_discrete = circuit.variables()[0].domain.is_discrete();
    let (step, low) = if is_discrete {
        (1.0, 0.0)
    } else {
        (0.005, -40.0)
    };
    let n = if is_discrete { 1000 } else { 36_000 };
    let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
    for at in 0..n {
        let from = low + f64::from(at) * step;
        let run = ValueSet::between(Cut::before(from), Cut::before(from + step), is_discrete);
        let p = log_mass(circuit, values, leaf, &run.intersect(set)).exp();
        let x = if is_discrete { from } else { from + step / 2.0 };
        mass += p;
        first += p * x;
        second += p * x * x;
    }
    (first / mass, second / mass - (first / mass).powi(2))
}
