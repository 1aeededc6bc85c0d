//! Entropies against numbers computed elsewhere, and against the densities.
//!
//! The constants were computed with mpmath 1.3 at 30 digits from the definitions
//! (sums of all probabilities that count, quadrature).

use super::*;
use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, Cut, Domain, ExponentialDistribution, Family,
    GammaDistribution, GeometricDistribution, HypergeometricDistribution, LaplaceDistribution,
    LogNormalDistribution, NegativeBinomialDistribution, NormalDistribution, PoissonDistribution,
};
use crate::leaf::log_density;
use crate::leaf::tests::{
    close, count, families, histogram, indicator, one_leaf, real, truncations, uniform,
};

const INF: f64 = f64::INFINITY;

fn of(circuit: &CircuitGraph) -> f64 {
    entropy(circuit, &circuit.start_values(), &circuit.leaves()[0])
}

#[track_caller]
fn closely(found: f64, expected: f64) {
    let error = ((found - expected) / expected).abs();
    assert!(error < 1e-10, "{found} is not {expected} ({error:e})");
}

fn between(low: f64, high: f64, discrete: bool) -> ValueSet {
    ValueSet::between(Cut::before(low), Cut::before(high), discrete)
}

fn counts_in(family: Family, numbers: &[f64], low: f64, high: f64) -> f64 {
    let set = Some(between(low, high, true));
    of(&one_leaf(Domain::Nat, family, &[numbers], set))
}

fn reals_in(family: Family, numbers: &[f64], set: ValueSet) -> f64 {
    let vectors: Vec<&[f64]> = numbers.chunks(1).collect();
    of(&one_leaf(Domain::Real, family, &vectors, Some(set)))
}

const MANY: u32 = 1 << 24;

#[test]
fn counts_of_any_size() {
    closely(
        of(&count(Family::Poisson(PoissonDistribution), &[3.2])),
        1.966673638160817,
    );
    closely(
        of(&count(Family::Poisson(PoissonDistribution), &[1e-10])),
        2.402585092997512e-9,
    );
    closely(
        of(&count(Family::Poisson(PoissonDistribution), &[5000.0])),
        5.677518460579036,
    );
    closely(
        of(&count(Family::Poisson(PoissonDistribution), &[2e6])),
        8.673267360800105,
    );
    let binomial = |trials, p: f64| {
        of(&count(
            Family::Binomial(BinomialDistribution { trials }),
            &[1.0 - p, p],
        ))
    };
    closely(binomial(10, 0.3), 1.779078784090063);
    closely(binomial(MANY, 0.3), 8.95638082200726);
    closely(binomial(MANY, 1e-7), 1.604130697804393);
    let waiting = |successes, p: f64| {
        let family = Family::NegativeBinomial(NegativeBinomialDistribution { successes });
        of(&count(family, &[1.0 - p, p]))
    };
    closely(waiting(3, 0.3), 2.862726512513409);
    closely(waiting(5, 1e-4), 11.36387352581895);
    closely(waiting(2, 1e-3), 8.484470041837722);
    closely(waiting(2, 1e-7), 17.69531126585984);
    closely(waiting(MANY, 0.5), 10.08327826785225);
    let drawing = |population, successes, draws| {
        let family = Family::Hypergeometric(HypergeometricDistribution {
            population,
            successes,
            draws,
        });
        of(&one_leaf(Domain::Nat, family, &[], None))
    };
    closely(drawing(50, 20, 10), 1.753823879258456);
    closely(drawing(MANY, 5_000_000, 3_000_000), 7.995277783825839);
    let geometric = |p: f64| {
        of(&count(
            Family::Geometric(GeometricDistribution),
            &[1.0 - p, p],
        ))
    };
    closely(geometric(0.5), 4_f64.ln());
    closely(geometric(1e-12), 1.0 + 12.0 * 10_f64.ln());
    assert_eq!(geometric(1.0), 0.0);
}

#[test]
fn truncated_counts() {
    let poisson = |low, high| counts_in(Family::Poisson(PoissonDistribution), &[1e6], low, high);
    closely(poisson(1_000_500.0, INF), 7.436576990826093);
    closely(poisson(1_000_500.0, 1_003_000.0), 7.411685998406979);
    let two = Family::NegativeBinomial(NegativeBinomialDistribution { successes: 2 });
    closely(
        counts_in(two, &[1.0 - 1e-4, 1e-4], 100.0, 30_000.0),
        10.25219468909815,
    );
    let geometric = counts_in(
        Family::Geometric(GeometricDistribution),
        &[1.0 - 1e-4, 1e-4],
        5.0,
        20_000.0,
    );
    closely(geometric, 9.751696784418743);
    let binomial = Family::Binomial(BinomialDistribution { trials: 1000 });
    closely(
        counts_in(binomial, &[0.7, 0.3], 900.0, 1001.0),
        0.2006619868707403,
    );
}

#[test]
fn truncated_densities() {
    let normal = |mean, sd, set| reals_in(Family::Normal(NormalDistribution), &[mean, sd], set);
    closely(
        normal(0.0, 1.0, between(40.0, INF, false)),
        -2.690126536403841,
    );
    closely(
        normal(0.0, 1.0, between(1e9, 2e9, false)),
        -19.72326583694641,
    );
    closely(
        normal(1.0, 2.0, between(0.0, 4.0, false)),
        1.345119607424251,
    );
    let gap = between(-2.0, 0.0, false).union(&between(4.0, 5.0, false));
    closely(normal(3.0, 1.5, gap), 0.3939224246877357);
    let lognormal = |low| {
        reals_in(
            Family::LogNormal(LogNormalDistribution),
            &[0.5, 0.8],
            between(low, 3.0, false),
        )
    };
    closely(lognormal(1.0), 0.633426242730305);
    closely(lognormal(0.0), 0.980034311314395);
    let laplace = |mean, scale, set| reals_in(LaplaceDistribution.into(), &[mean, scale], set);
    closely(
        laplace(1.0, 2.0, between(0.0, 4.0, false)),
        1.30533336570799,
    );
    closely(
        laplace(1.0, 2.0, between(3.0, 10.0, false)),
        1.55350265690219,
    );
    let gap = between(-2.0, 0.0, false).union(&between(4.0, 5.0, false));
    closely(laplace(3.0, 1.5, gap), 0.762114377393592);
    let gap = between(1.0, 3.0, false).union(&between(5.0, INF, false));
    closely(
        reals_in(Family::Exponential(ExponentialDistribution), &[0.7], gap),
        0.9362501657859609,
    );
    let gamma = |shape, rate, low, high| {
        reals_in(
            Family::Gamma(GammaDistribution),
            &[shape, rate],
            between(low, high, false),
        )
    };
    closely(gamma(2.5, 1.5, 1.0, 3.0), 0.619744089944623);
    closely(gamma(2.5, 1.5, 800.0, INF), 0.5957835904606911);
    closely(gamma(0.01, 1.0, 0.0, 1.0), -95.17383482480531);
    closely(gamma(2.5, 1.0, 0.0, INF), 1.729947909505054);
}

#[test]
fn densities_have_closed_forms() {
    closely(
        of(&real(LaplaceDistribution.into(), &[3.0, 2.0])),
        2.38629436111989,
    );
    closely(
        of(&real(Family::Normal(NormalDistribution), &[3.0, 2.0])),
        HALF_LN_TAU_E + 2_f64.ln(),
    );
    closely(
        of(&real(Family::LogNormal(LogNormalDistribution), &[3.0, 1.0])),
        HALF_LN_TAU_E + 3.0,
    );
    closely(
        of(&real(Family::Exponential(ExponentialDistribution), &[0.5])),
        1.0 + 2_f64.ln(),
    );
    closely(
        of(&real(Family::Gamma(GammaDistribution), &[2.5, 1.0])),
        1.729947909505054,
    );
    closely(
        of(&real(Family::Gamma(GammaDistribution), &[99.0, 1.0])),
        3.713122941007234,
    );
    closely(
        of(&real(Family::Gamma(GammaDistribution), &[101.0, 1.0])),
        3.72319028175475,
    );
    closely(
        of(&real(Family::Gamma(GammaDistribution), &[1e9, 1.0])),
        11.78057145134454,
    );
}

#[test]
fn indicators_are_uniform_on_their_set() {
    let range = || Domain::Range { low: 0, high: 9 };
    assert_eq!(of(&indicator(range(), ValueSet::integers(3, 4))), 0.0);
    close(
        of(&indicator(range(), ValueSet::integers(3, 8))),
        5_f64.ln(),
    );
    close(
        of(&indicator(Domain::Real, between(1.0, 1.5, false))),
        0.5_f64.ln(),
    );
    let point = ValueSet::point(2.0, false);
    assert_eq!(of(&indicator(Domain::Real, point)), 0.0);
    assert_eq!(of(&indicator(Domain::Real, ValueSet::reals())), INF);
    let flat = one_leaf(
        Domain::Real,
        uniform(1.0, 4.0),
        &[],
        Some(between(3.0, 9.0, false)),
    );
    assert_eq!(of(&flat), 0.0);
}

/// All mass, and the expectation of minus the logarithm of the density, by brute force.
fn expected(circuit: &CircuitGraph, discrete: bool) -> (f64, f64) {
    let values = circuit.start_values();
    let (n, step) = if discrete {
        (400, 1.0)
    } else {
        (400 * 1024, 1.0 / 1024.0)
    };
    // The midpoints of the reals meet every break of the tests.
    let start = if discrete { 0.0 } else { 0.5 * step - 8.0 };
    (0..n).fold((0.0, 0.0), |(mass, sum), at| {
        let x = start + f64::from(at) * step;
        let log = log_density(circuit, &values, &circuit.leaves()[0], x);
        if log.is_finite() {
            (mass + log.exp() * step, sum - log * log.exp() * step)
        } else {
            (mass, sum)
        }
    })
}

#[test]
fn entropies_are_expectations() {
    let mut n_compared = 0;
    for (domain, family, numbers) in families() {
        for truncation in truncations(&domain) {
            let vectors: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
            let leaf = one_leaf(domain.clone(), family.clone(), &vectors, truncation.clone());
            let tolerance = if domain.is_discrete() { 1e-11 } else { 2e-5 };
            let (mass, expected) = expected(&leaf, domain.is_discrete());
            // Not every truncation fits every domain.
            if (mass - 1.0).abs() > tolerance {
                continue;
            }
            let found = of(&leaf);
            let name = format!("{family:?} of {domain} in {truncation:?}");
            assert!(
                (found - expected).abs() < tolerance,
                "{name}: {found}, not {expected}"
            );
            n_compared += 1;
        }
    }
    assert!(n_compared > 50, "{n_compared}");
}

#[test]
fn degenerate_leaves_are_certain_rather_than_undefined() {
    assert_eq!(
        of(&count(
            Family::Binomial(BinomialDistribution { trials: 5 }),
            &[0.0, 1.0]
        )),
        0.0
    );
    assert_eq!(
        of(&count(
            Family::Binomial(BinomialDistribution { trials: 0 }),
            &[0.5, 0.5]
        )),
        0.0
    );
    assert_eq!(
        of(&count(
            Family::Geometric(GeometricDistribution),
            &[1.0, 0.0]
        )),
        0.0
    );
    let none = Family::NegativeBinomial(NegativeBinomialDistribution { successes: 0 });
    assert_eq!(of(&count(none, &[0.5, 0.5])), 0.0);
    assert_eq!(
        counts_in(
            Family::Binomial(BinomialDistribution { trials: 5 }),
            &[1.0, 0.0],
            2.0,
            4.0
        ),
        0.0
    );
    let coin = one_leaf(
        Domain::Bool,
        Family::Bernoulli(BernoulliDistribution),
        &[&[1.0, 0.0]],
        None,
    );
    assert_eq!(of(&coin), 0.0);
    let empty = one_leaf(
        Domain::Real,
        histogram(),
        &[&[0.0, 0.0, 1.0]],
        Some(between(0.0, 2.0, false)),
    );
    assert_eq!(of(&empty), 0.0);
    // A small entropy keeps its digits.
    let p = 1e-14;
    let rare = one_leaf(
        Domain::Bool,
        Family::Bernoulli(BernoulliDistribution),
        &[&[1.0 - p, p]],
        None,
    );
    let nats = of(&rare);
    assert!((nats / (p - p * p.ln()) - 1.0).abs() < 1e-2);
}

#[test]
fn nothing_is_undefined_at_extreme_parameters() {
    let sizes = [1e-300, 1e-150, 1e-9, 1.0, 1e9, 1e15, 1e150, 1e300];
    let sets = [
        ValueSet::reals(),
        between(40.0, INF, false),
        between(-1.0, 2.0, false),
        between(1e200, 2e200, false),
        between(1e-200, 2e-200, false),
    ];
    for a in sizes {
        for b in sizes {
            for set in &sets {
                for family in [
                    LaplaceDistribution.into(),
                    Family::Normal(NormalDistribution),
                    Family::LogNormal(LogNormalDistribution),
                    Family::Gamma(GammaDistribution),
                    Family::Exponential(ExponentialDistribution),
                ] {
                    let found = reals_in(family.clone(), &[a, b], set.clone());
                    assert!(found.is_finite(), "{family:?} {a} {b} {set:?}: {found}");
                }
            }
        }
        let p = a.min(1.0);
        for (low, high) in [(0.0, INF), (5.0, 9.0), (5000.0, INF), (1e6, 1e15)] {
            for family in [
                Family::Binomial(BinomialDistribution { trials: MANY }),
                Family::Geometric(GeometricDistribution),
                Family::NegativeBinomial(NegativeBinomialDistribution { successes: MANY }),
                Family::NegativeBinomial(NegativeBinomialDistribution { successes: 2 }),
            ] {
                let found = counts_in(family.clone(), &[1.0 - p, p], low, high);
                assert!(
                    found.is_finite() && found >= 0.0,
                    "{family:?} {p} {low}: {found}"
                );
            }
            let found = counts_in(Family::Poisson(PoissonDistribution), &[a], low, high);
            assert!(
                found.is_finite() && found >= 0.0,
                "poisson {a} {low}: {found}"
            );
        }
    }
}
