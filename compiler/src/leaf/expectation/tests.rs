//! Means against numbers computed elsewhere, and against the densities.
//!
//! The constants were computed with mpmath 1.3 at 40 digits from the definitions.

use super::*;
use crate::circuit::{
    BinomialDistribution, Cut, Domain, ExponentialDistribution, Family, GammaDistribution,
    GeometricDistribution, LaplaceDistribution, LogNormalDistribution,
    NegativeBinomialDistribution, NormalDistribution, PoissonDistribution,
};
use crate::leaf::log_density;
use crate::leaf::tests::{count, families, indicator, one_leaf, real, truncations, uniform};

const INF: f64 = f64::INFINITY;

fn between(low: f64, high: f64, discrete: bool) -> ValueSet {
    ValueSet::between(Cut::before(low), Cut::before(high), discrete)
}

fn of(circuit: &CircuitGraph) -> LeafMoments {
    let found = moments(circuit, &circuit.start_values(), &circuit.leaves()[0], None);
    found.expect("the leaf has moments")
}

#[track_caller]
fn closely(found: f64, expected: f64) {
    let error = ((found - expected) / expected).abs();
    assert!(error < 1e-10, "{found} is not {expected} ({error:e})");
}

#[track_caller]
fn has(circuit: &CircuitGraph, mean: f64, variance: f64) {
    let found = of(circuit);
    closely(found.mean, mean);
    closely(found.variance, variance);
}

fn compared(p: &CircuitGraph, q: &CircuitGraph) -> LeafOverlap {
    let (values_p, values_q) = (p.start_values(), q.start_values());
    let side = |circuit, values| LeafOf {
        circuit,
        values,
        leaf: &CircuitGraph::leaves(circuit)[0],
    };
    overlap(side(p, &values_p), side(q, &values_q)).expect("the leaves can be compared")
}

fn truncated(family: Family, numbers: &[f64], set: ValueSet) -> CircuitGraph {
    let vectors: Vec<&[f64]> = numbers.chunks(1).collect();
    one_leaf(Domain::Real, family, &vectors, Some(set))
}

#[test]
fn moments_far_out_and_of_wide_leaves() {
    let normal = |m, s, low, high| {
        truncated(
            Family::Normal(NormalDistribution),
            &[m, s],
            between(low, high, false),
        )
    };
    has(
        &normal(0.0, 1.0, 40.0, INF),
        40.02496884720726,
        0.0006226683785913888,
    );
    has(
        &normal(1.0, 2.0, 0.0, 4.0),
        1.71254576835412,
        1.1209926006049,
    );
    let lognormal = |m, s, low, high| {
        truncated(
            Family::LogNormal(LogNormalDistribution),
            &[m, s],
            between(low, high, false),
        )
    };
    has(
        &lognormal(0.0, 3.0, 1.0, INF),
        179.7912347043325,
        131287613.2570259,
    );
    has(
        &lognormal(0.5, 0.8, 1.0, 3.0),
        1.802065179936592,
        0.3043564487904305,
    );
    let laplace = |low, high| {
        let set = between(low, high, false);
        truncated(LaplaceDistribution.into(), &[1.0, 2.0], set)
    };
    has(&laplace(0.0, 4.0), 1.60148475787351, 1.04321628371170);
    has(&laplace(3.0, 10.0), 4.78203638519540, 2.42674655898912);
    let gamma = truncated(
        Family::Gamma(GammaDistribution),
        &[0.01, 2.0],
        between(0.5, INF, false),
    );
    has(&gamma, 0.8397012356216856, 0.1363015766952084);
    let poisson = between(1_000_500.0, INF, true);
    let poisson = one_leaf(
        Domain::Nat,
        Family::Poisson(PoissonDistribution),
        &[&[1e6]],
        Some(poisson),
    );
    has(&poisson, 1001140.8985424798, 268799.787007327);
    let geometric = between(5.0, 20_000.0, true);
    let coin: &[&[f64]] = &[&[1.0 - 1e-4, 1e-4]];
    let geometric = one_leaf(
        Domain::Nat,
        Family::Geometric(GeometricDistribution),
        coin,
        Some(geometric),
    );
    has(&geometric, 6872.981525261633, 27582008.90845339);
}

#[test]
fn closed_forms_agree_with_integrals() {
    let widest = [
        real(Family::LogNormal(LogNormalDistribution), &[0.5, 4.0]),
        real(Family::Gamma(GammaDistribution), &[1e-3, 7.0]),
        real(Family::Gamma(GammaDistribution), &[1e6, 2.0]),
        real(Family::Exponential(ExponentialDistribution), &[1e-9]),
        real(Family::Normal(NormalDistribution), &[1e6, 1e-3]),
        count(Family::Poisson(PoissonDistribution), &[3e7]),
        count(
            Family::Binomial(BinomialDistribution { trials: 1 << 24 }),
            &[0.6, 0.4],
        ),
        count(
            Family::NegativeBinomial(NegativeBinomialDistribution { successes: 3 }),
            &[1.0 - 1e-5, 1e-5],
        ),
    ];
    for circuit in widest {
        let values = circuit.start_values();
        let leaf = &circuit.leaves()[0];
        let domain = &circuit.variable(leaf.variable).domain;
        let Some(NormalizedLeaf::Smooth(smooth)) = shape(&circuit, &values, leaf) else {
            panic!("{leaf:?} is smooth");
        };
        let closed = smooth.base.family().moments(&smooth.base);
        let closed = closed.expect("a closed form");
        let numeric = numeric_moments(&smooth, &domain.full()).expect("mass");
        let close = |a: f64, b: f64| ((a - b) / b).abs() < 1e-9;
        assert!(
            close(numeric.mean, closed.mean),
            "{leaf:?}: {numeric:?} {closed:?}"
        );
        assert!(
            close(numeric.variance, closed.variance),
            "{leaf:?}: {numeric:?} {closed:?}"
        );
    }
}

/// Mass, mean and second moment where `x` lies in a set, by brute force.
fn brute(circuit: &CircuitGraph, discrete: bool, set: &ValueSet) -> [f64; 3] {
    let values = circuit.start_values();
    let (n, step) = if discrete {
        (400, 1.0)
    } else {
        (400 * 1024, 1.0 / 1024.0)
    };
    let start = if discrete { 0.0 } else { 0.5 * step - 8.0 };
    let mut sums = [0.0; 3];
    for at in 0..n {
        let x = start + f64::from(at) * step;
        if set.contains(x) {
            let p = log_density(circuit, &values, &circuit.leaves()[0], x).exp() * step;
            sums[0] += p;
            sums[1] += p * x;
            sums[2] += p * x * x;
        }
    }
    sums
}

#[test]
fn moments_are_means_over_densities() {
    let mut n_compared = 0;
    for (domain, family, numbers) in families() {
        let discrete = domain.is_discrete();
        let tolerance = if discrete { 1e-10 } else { 1e-4 };
        for truncation in truncations(&domain) {
            let vectors: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
            let leaf = one_leaf(domain.clone(), family.clone(), &vectors, truncation.clone());
            let whole = brute(&leaf, discrete, &domain.full());
            // Not every truncation fits every domain.
            if (whole[0] - 1.0).abs() > tolerance {
                continue;
            }
            for given in [domain.full(), between(1.0, 5.0, discrete)] {
                let [mass, first, second] = brute(&leaf, discrete, &given);
                let name = format!("{family:?} of {domain} in {truncation:?} given {given:?}");
                let values = leaf.start_values();
                let found = moments(&leaf, &values, &leaf.leaves()[0], Some(&given));
                let Some(found) = found else {
                    assert!(mass < 1e-12, "{name}");
                    continue;
                };
                let mean = first / mass;
                let variance = second / mass - mean * mean;
                assert!(
                    (found.mean - mean).abs() < tolerance * (1.0 + mean.abs()),
                    "{name}: {found:?} {mean}"
                );
                assert!(
                    (found.variance - variance).abs() < tolerance * (1.0 + second),
                    "{name}: {found:?} {variance}"
                );
                let square = |x: f64| x * x;
                let found = expectation(&leaf, &values, &leaf.leaves()[0], &given, &square);
                assert!(
                    (found.expect("a mean") - second).abs() < tolerance * (1.0 + second),
                    "{name}: {found:?}, not {second}"
                );
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 80, "{n_compared}");
}

#[test]
fn pairs_of_leaves_against_their_densities() {
    let mut n_compared = 0;
    let all = families();
    for (domain, family_p, numbers_p) in &all {
        for (other, family_q, numbers_q) in all.iter().filter(|q| q.0 == *domain) {
            for truncation in truncations(other) {
                let make = |family: &Family, numbers: &[Vec<f64>], set| {
                    let vectors: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
                    one_leaf(domain.clone(), family.clone(), &vectors, set)
                };
                let p = make(family_p, numbers_p, None);
                let q = make(family_q, numbers_q, truncation.clone());
                let discrete = domain.is_discrete();
                let total = |c: &CircuitGraph| brute_overlap(c, c, discrete).mass;
                let tolerance = if discrete { 1e-10 } else { 1e-2 };
                if (total(&p) - 1.0).abs() > tolerance || (total(&q) - 1.0).abs() > tolerance {
                    continue;
                }
                let name = format!("{family_p:?} and {family_q:?} of {domain} in {truncation:?}");
                let found = compared(&p, &q);
                let expected = brute_overlap(&p, &q, discrete);
                for (found, expected) in [
                    (found.mass, expected.mass),
                    (found.log_other, expected.log_other),
                    (found.log_ratio, expected.log_ratio),
                ] {
                    let error = (found - expected).abs();
                    assert!(
                        error < tolerance * (1.0 + expected.abs()),
                        "{name}: {found} {expected}"
                    );
                }
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 150, "{n_compared}");
}

fn brute_overlap(p: &CircuitGraph, q: &CircuitGraph, discrete: bool) -> LeafOverlap {
    let (values_p, values_q) = (p.start_values(), q.start_values());
    let (n, step) = if discrete {
        (400, 1.0)
    } else {
        (64 * 512, 1.0 / 512.0)
    };
    let start = if discrete { 0.0 } else { 0.5 * step - 8.0 };
    let mut all = LeafOverlap::default();
    for at in 0..n {
        let x = start + f64::from(at) * step;
        let log_p = log_density(p, &values_p, &p.leaves()[0], x);
        let log_q = log_density(q, &values_q, &q.leaves()[0], x);
        if log_p.is_finite() && log_q.is_finite() {
            let weight = log_p.exp() * step;
            all.mass += weight;
            all.log_other += weight * log_q;
            all.log_ratio += weight * (log_p - log_q);
        }
    }
    all
}

#[test]
fn divergences_with_closed_forms() {
    let normal = |m: f64, s: f64| real(Family::Normal(NormalDistribution), &[m, s]);
    let between_normals = |m: f64, s: f64, n: f64, t: f64| {
        (t / s).ln() + (s * s + (m - n) * (m - n)) / (2.0 * t * t) - 0.5
    };
    for (m, s, n, t) in [
        (0.0, 1.0, 3.0, 2.0),
        (5.0, 1e-3, -5.0, 10.0),
        (1e5, 1.0, 1e5, 1.5),
    ] {
        let found = compared(&normal(m, s), &normal(n, t));
        closely(found.log_ratio, between_normals(m, s, n, t));
        closely(found.mass, 1.0);
    }
    let lognormal = real(Family::LogNormal(LogNormalDistribution), &[0.0, 2.0]);
    closely(
        compared(&lognormal, &normal(1.0, 3.0)).log_ratio,
        164.748791488323,
    );
    let gamma = real(Family::Gamma(GammaDistribution), &[2.5, 0.5]);
    let exponential = real(Family::Exponential(ExponentialDistribution), &[0.7]);
    closely(compared(&gamma, &exponential).log_ratio, 1.433579853873733);
    let flat = one_leaf(Domain::Real, uniform(0.0, 3.0), &[], None);
    closely(compared(&flat, &gamma).log_ratio, 1.521020100202508);
    let poisson = count(Family::Poisson(PoissonDistribution), &[4.0]);
    let waiting = count(
        Family::NegativeBinomial(NegativeBinomialDistribution { successes: 3 }),
        &[0.6, 0.4],
    );
    closely(compared(&poisson, &waiting).log_ratio, 0.1460749483976307);
    // Leaves that are almost the same keep their digits.
    let near = compared(&normal(0.0, 1.0), &normal(1e-7, 1.0)).log_ratio;
    assert!((near / 5e-15 - 1.0).abs() < 1e-2, "{near}");
}

#[test]
fn what_cannot_be_scaled_has_no_moments() {
    for circuit in [
        indicator(Domain::Real, ValueSet::reals()),
        indicator(Domain::Nat, ValueSet::integers_from(3)),
        indicator(Domain::Real, ValueSet::point(2.0, false)),
    ] {
        let values = circuit.start_values();
        assert_eq!(moments(&circuit, &values, &circuit.leaves()[0], None), None);
    }
    let three = indicator(Domain::Nat, ValueSet::integers(3, 6));
    has(&three, 4.0, 2.0 / 3.0);
    let part = indicator(Domain::Real, between(1.0, 3.0, false));
    has(&part, 2.0, 1.0 / 3.0);
}

#[test]
fn nothing_is_undefined_at_extreme_parameters() {
    let sizes = [1e-300, 1e-150, 1e-9, 1.0, 1e9, 1e150, 1e300];
    let sets = [
        ValueSet::reals(),
        between(40.0, INF, false),
        between(-1.0, 2.0, false),
    ];
    let families = [
        Family::Normal(NormalDistribution),
        Family::LogNormal(LogNormalDistribution),
        Family::Gamma(GammaDistribution),
        Family::Exponential(ExponentialDistribution),
    ];
    for (a, b) in sizes
        .iter()
        .flat_map(|&a| sizes.iter().map(move |&b| (a, b)))
    {
        for (set, family) in sets
            .iter()
            .flat_map(|s| families.iter().map(move |f| (s, f)))
        {
            let circuit = truncated(family.clone(), &[a, b], set.clone());
            let values = circuit.start_values();
            if let Some(found) = moments(&circuit, &values, &circuit.leaves()[0], None) {
                assert!(
                    !found.mean.is_nan(),
                    "{family:?} {a} {b} {set:?}: {found:?}"
                );
                assert!(
                    found.variance.is_nan() || found.variance >= 0.0,
                    "{family:?} {a} {b} {set:?}: {found:?}"
                );
            }
        }
    }
}
