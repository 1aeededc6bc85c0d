//! Leaves against numbers computed elsewhere, and against themselves.
//!
//! The constants were computed with mpmath 1.3 at 50 digits, rounded to 13, from the
//! definitions (sums of probabilities, `gammainc`, `erfc`, quadrature).

mod extremes;

use super::*;
use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, CategoricalDistribution, CircuitBuilder,
    CircuitVariable, Cut, Distribution, ExponentialDistribution, Family, FiniteConstant,
    GammaDistribution, GeometricDistribution, HistogramDistribution, HypergeometricDistribution,
    LaplaceDistribution, LogNormalDistribution, NegativeBinomialDistribution, NormalDistribution,
    ParamKind, ParameterEntry, PoissonDistribution, SourceOrigin, UniformDistribution, VarId,
    VariableAttributes,
};
use pelton_grammar::source::Span;

/// A circuit of one leaf.
pub(super) fn one_leaf(
    domain: Domain,
    family: Family,
    numbers: &[&[f64]],
    set: Option<ValueSet>,
) -> CircuitGraph {
    let mut builder = CircuitBuilder::new();
    let variable = builder.variable(CircuitVariable {
        name: "x".into(),
        domain,
        span: Span::default(),
        binding: VariableAttributes::default(),
    });
    let params = numbers.iter().map(|numbers| {
        let entries: Vec<ParameterEntry> =
            numbers.iter().map(|&n| ParameterEntry::fixed(n)).collect();
        let kind = match entries.len() {
            1 => ParamKind::Real,
            _ => ParamKind::Simplex,
        };
        builder.parameter(None, kind, &entries, Span::default())
    });
    let params = params.collect();
    let distribution = Distribution {
        family,
        params,
        truncation: set,
    };
    let kind = LeafKind::Distribution(distribution);
    finish(builder, Leaf { variable, kind })
}

fn finish(mut builder: CircuitBuilder, leaf: Leaf) -> CircuitGraph {
    let origin = SourceOrigin::default();
    let unit = builder.input(leaf, origin);
    builder.finish(unit)
}

pub(super) fn indicator(domain: Domain, set: ValueSet) -> CircuitGraph {
    let mut builder = CircuitBuilder::new();
    let variable = builder.variable(CircuitVariable {
        name: "x".into(),
        domain,
        span: Span::default(),
        binding: VariableAttributes::default(),
    });
    let kind = LeafKind::Indicator(set);
    finish(builder, Leaf { variable, kind })
}

fn density(circuit: &CircuitGraph, x: f64) -> f64 {
    log_density(circuit, &circuit.start_values(), &circuit.leaves()[0], x)
}

fn mass(circuit: &CircuitGraph, low: f64, high: f64) -> f64 {
    let discrete = circuit.variable(VarId::new(0)).domain.is_discrete();
    let set = ValueSet::between(Cut::before(low), Cut::before(high), discrete);
    log_mass(circuit, &circuit.start_values(), &circuit.leaves()[0], &set)
}

#[track_caller]
pub(super) fn close(found: f64, expected: f64) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(error < 1e-9, "{found} is not {expected} ({error:e})");
}

pub(super) fn real(family: Family, numbers: &[f64]) -> CircuitGraph {
    let vectors: Vec<&[f64]> = numbers.chunks(1).collect();
    one_leaf(Domain::Real, family, &vectors, None)
}

pub(super) fn count(family: Family, numbers: &[f64]) -> CircuitGraph {
    one_leaf(Domain::Nat, family, &[numbers], None)
}

const INF: f64 = f64::INFINITY;
const NOTHING: f64 = f64::NEG_INFINITY;

#[test]
fn families_on_the_real_axis() {
    let normal = real(Family::Normal(NormalDistribution), &[1.0, 2.0]);
    close(density(&normal, 0.5), -1.643335713765);
    close(mass(&normal, 0.0, 4.0), -0.4705553654159);
    let standard = real(Family::Normal(NormalDistribution), &[0.0, 1.0]);
    close(mass(&standard, 40.0, 41.0), -804.6084420138);
    close(mass(&standard, -200.0, -100.0), -5005.524208694);
    close(mass(&standard, 1.0, 1.000000001), -22.14220428791);
    let lognormal = real(Family::LogNormal(LogNormalDistribution), &[0.5, 0.8]);
    close(density(&lognormal, 2.0), -1.418087344762);
    close(mass(&lognormal, 1.0, 3.0), -0.6795117389421);
    let exponential = real(Family::Exponential(ExponentialDistribution), &[0.7]);
    close(density(&exponential, 2.0), -1.756674943939);
    close(mass(&exponential, 1.0, 3.0), -0.9831549539229);
    close(mass(&exponential, 2000.0, 2001.0), -1400.686341003);
    let gamma = real(Family::Gamma(GammaDistribution), &[2.5, 1.5]);
    close(density(&gamma, 2.0), -1.231299329363);
    close(mass(&gamma, 1.0, 3.0), -0.5260717950133);
    close(mass(&gamma, 800.0, INF), -1189.648317877);
    close(mass(&gamma, 0.0, 1e-100), -575.8335840806);
    let laplace = real(LaplaceDistribution.into(), &[1.0, 2.0]);
    close(density(&laplace, 0.5), -1.636294361120);
    close(density(&laplace, 1e18), -5e17);
    close(mass(&laplace, 0.0, 4.0), -0.5358535762078);
    close(mass(&laplace, 2000.0, 2001.0), -1001.12589931013);
    close(mass(&laplace, NOTHING, -300.0), -151.1931471805599);
    close(mass(&laplace, 1.0, 1.000000001), -22.109560115575934);
}

#[test]
fn families_that_count() {
    let poisson = count(Family::Poisson(PoissonDistribution), &[3.2]);
    close(density(&poisson, 5.0), -2.171737693754);
    close(mass(&poisson, 2.0, INF), -0.1877779237777);
    close(mass(&poisson, 500.0, INF), -2032.948645928);
    let busy = count(Family::Poisson(PoissonDistribution), &[1e6]);
    close(mass(&busy, 1_010_000.0, INF), -53.06047084913);
    let (few, many) = (
        Family::Binomial(BinomialDistribution { trials: 10 }),
        Family::Binomial(BinomialDistribution { trials: 1000 }),
    );
    close(density(&count(few, &[0.7, 0.3]), 4.0), -1.608833350219);
    let many = count(many, &[0.7, 0.3]);
    close(mass(&many, 0.0, 250.0), -8.524483066944);
    close(mass(&many, 900.0, 1001.0), -797.2810238259);
    let geometric = count(Family::Geometric(GeometricDistribution), &[0.7, 0.3]);
    close(density(&geometric, 4.0), -2.630672580081);
    close(mass(&geometric, 5000.0, INF), -1783.374719694);
    let negative = count(
        Family::NegativeBinomial(NegativeBinomialDistribution { successes: 3 }),
        &[0.7, 0.3],
    );
    close(density(&negative, 4.0), -2.330567987631);
    close(mass(&negative, 100.0, INF), -29.48231510614);
    let draws = one_leaf(Domain::Nat, hypergeometric(), &[], None);
    close(density(&draws, 4.0), -1.272756400908);
    close(mass(&draws, 6.0, 11.0), -1.96691244072);
}

pub(super) fn hypergeometric() -> Family {
    Family::Hypergeometric(HypergeometricDistribution {
        population: 50,
        successes: 20,
        draws: 10,
    })
}

pub(super) fn histogram() -> Family {
    let breaks = [0.0, 1.0, 4.0, 6.0].map(FiniteConstant::new).to_vec();
    Family::Histogram(HistogramDistribution { breaks })
}

pub(super) fn uniform(low: f64, high: f64) -> Family {
    let (low, high) = (FiniteConstant::new(low), FiniteConstant::new(high));
    Family::Uniform(UniformDistribution { low, high })
}

#[test]
fn masses_add_up_over_discrete_values() {
    let bins: &[&[f64]] = &[&[0.2, 0.0, 0.8]];
    let sixes = Domain::Range { low: 2, high: 5 };
    let leaves = [
        one_leaf(
            Domain::Bool,
            Family::Bernoulli(BernoulliDistribution),
            &[&[0.25, 0.75]],
            None,
        ),
        one_leaf(
            sixes,
            Family::Categorical(CategoricalDistribution),
            &[&[0.2, 0.5, 0.3]],
            None,
        ),
        one_leaf(Domain::Nat, histogram(), bins, None),
        one_leaf(Domain::Nat, uniform(3.0, 7.0), &[], None),
        one_leaf(Domain::Nat, hypergeometric(), &[], None),
        count(Family::Poisson(PoissonDistribution), &[3.2]),
        count(Family::Geometric(GeometricDistribution), &[0.7, 0.3]),
        count(
            Family::NegativeBinomial(NegativeBinomialDistribution { successes: 3 }),
            &[0.7, 0.3],
        ),
        count(
            Family::Binomial(BinomialDistribution { trials: 10 }),
            &[0.7, 0.3],
        ),
    ];
    for leaf in leaves {
        let total: f64 = (0..400).map(|x| density(&leaf, f64::from(x)).exp()).sum();
        assert!((total - 1.0).abs() < 1e-12, "{leaf:?}: {total}");
        let part: f64 = (3..90).map(|x| density(&leaf, f64::from(x)).exp()).sum();
        assert!((mass(&leaf, 3.0, 90.0).exp() - part).abs() < 1e-12);
        close(mass(&leaf, NOTHING, INF), 0.0);
        assert_eq!(density(&leaf, f64::NAN), 0.0);
        assert_eq!(density(&leaf, 3.5), NOTHING);
    }
}

#[test]
fn densities_integrate_to_masses_also_when_truncated() {
    let bins: &[&[f64]] = &[&[0.2, 0.0, 0.8]];
    let families: [(Family, &[&[f64]]); 7] = [
        (LaplaceDistribution.into(), &[&[2.0], &[1.5]]),
        (Family::Normal(NormalDistribution), &[&[3.0], &[1.5]]),
        (Family::LogNormal(LogNormalDistribution), &[&[0.5], &[0.8]]),
        (Family::Exponential(ExponentialDistribution), &[&[0.7]]),
        (Family::Gamma(GammaDistribution), &[&[2.5], &[1.5]]),
        (uniform(1.0, 4.0), &[]),
        (histogram(), bins),
    ];
    let set = ValueSet::between(Cut::before(0.0), Cut::before(5.0), false);
    for truncation in [None, Some(set)] {
        for (family, numbers) in &families {
            let leaf = one_leaf(Domain::Real, family.clone(), numbers, truncation.clone());
            let n = 400_000;
            let at = |i: i32| 0.5 + 3.0 * (f64::from(i) + 0.5) / f64::from(n);
            let sum: f64 = (0..n).map(|i| density(&leaf, at(i)).exp()).sum();
            let area = sum * 3.0 / f64::from(n);
            let found = mass(&leaf, 0.5, 3.5).exp();
            assert!((found - area).abs() < 1e-6, "{family:?}: {found} {area}");
            close(mass(&leaf, NOTHING, INF), 0.0);
        }
    }
}

#[test]
fn a_leaf_truncated_far_out_is_still_a_distribution() {
    let set = ValueSet::between(Cut::before(40.0), Cut::before(INF), false);
    let leaf = one_leaf(
        Domain::Real,
        Family::Normal(NormalDistribution),
        &[&[0.0], &[1.0]],
        Some(set),
    );
    close(density(&leaf, 40.01), 3.2894534805491154);
    assert_eq!(density(&leaf, 39.0), NOTHING);
    let far = ValueSet::between(Cut::before(1e9), Cut::before(2e9), false);
    let leaf = one_leaf(
        Domain::Real,
        Family::Normal(NormalDistribution),
        &[&[0.0], &[1.0]],
        Some(far),
    );
    assert!(density(&leaf, 1e9).is_finite());
    close(mass(&leaf, 0.0, INF), 0.0);
}

#[test]
fn indicators_have_the_mass_of_their_set() {
    let set = ValueSet::integers(1, 4);
    let leaf = indicator(Domain::Range { low: 0, high: 9 }, set);
    assert_eq!(density(&leaf, 3.0), 0.0);
    assert_eq!(density(&leaf, 4.0), NOTHING);
    close(density(&leaf, f64::NAN), 3_f64.ln());
    close(mass(&leaf, 3.0, 9.0), 0.0);
    let set = ValueSet::between(Cut::before(10.0), Cut::before(20.0), false);
    close(
        density(&indicator(Domain::Real, set), f64::NAN),
        10_f64.ln(),
    );
}

#[test]
fn fixed_zeros_are_outside_the_support() {
    let set_of = |circuit: &CircuitGraph| support(circuit, &circuit.leaves()[0]);
    let coin = one_leaf(
        Domain::Bool,
        Family::Bernoulli(BernoulliDistribution),
        &[&[0.0, 1.0]],
        None,
    );
    assert_eq!(set_of(&coin), ValueSet::integers(1, 2));
    let range = Domain::Range { low: 5, high: 9 };
    let some = one_leaf(
        range,
        Family::Categorical(CategoricalDistribution),
        &[&[0.5, 0.0, 0.0, 0.5]],
        None,
    );
    let expected = ValueSet::integers(5, 6).union(&ValueSet::integers(8, 9));
    assert_eq!(set_of(&some), expected);
    let bins = one_leaf(Domain::Real, histogram(), &[&[0.2, 0.0, 0.8]], None);
    assert!(!set_of(&bins).contains(2.0) && set_of(&bins).contains(4.0));
    let never = count(Family::Geometric(GeometricDistribution), &[1.0, 0.0]);
    assert!(set_of(&never).is_empty());
    let always = count(
        Family::Binomial(BinomialDistribution { trials: 4 }),
        &[0.0, 1.0],
    );
    assert_eq!(set_of(&always), ValueSet::integers(4, 5));
    let drawn = one_leaf(Domain::Nat, hypergeometric(), &[], None);
    assert_eq!(set_of(&drawn), ValueSet::integers(0, 11));
}

#[test]
fn learned_entries_count_as_positive() {
    let mut builder = CircuitBuilder::new();
    let variable = builder.variable(CircuitVariable {
        name: "x".into(),
        domain: Domain::Bool,
        span: Span::default(),
        binding: VariableAttributes::default(),
    });
    let zero = ParameterEntry {
        learned: true,
        ..ParameterEntry::fixed(0.0)
    };
    let entries = [zero, zero];
    let param = builder.parameter(None, ParamKind::Unit, &entries, Span::default());
    let kind = LeafKind::Distribution(Distribution {
        family: Family::Bernoulli(BernoulliDistribution),
        params: vec![param],
        truncation: None,
    });
    let circuit = finish(builder, Leaf { variable, kind });
    assert_eq!(
        support(&circuit, &circuit.leaves()[0]),
        ValueSet::integers(0, 2)
    );
}

/// Leaves of every family, over infinite domains and over a finite one.
pub(super) fn families() -> Vec<(Domain, Family, Vec<Vec<f64>>)> {
    let bins = vec![vec![0.2, 0.5, 0.3]];
    let coin = vec![vec![0.7, 0.3]];
    let wide = Domain::Range { low: 0, high: 9000 };
    let small = Domain::Range { low: 0, high: 12 };
    let mut all = vec![
        (
            Domain::Bool,
            Family::Bernoulli(BernoulliDistribution),
            coin.clone(),
        ),
        (
            Domain::Range { low: 4, high: 7 },
            Family::Categorical(CategoricalDistribution),
            bins.clone(),
        ),
        (
            Domain::Real,
            Family::Normal(NormalDistribution),
            vec![vec![3.25], vec![1.5]],
        ),
        (
            Domain::Real,
            Family::LogNormal(LogNormalDistribution),
            vec![vec![0.5], vec![0.8]],
        ),
        (
            Domain::Real,
            Family::Exponential(ExponentialDistribution),
            vec![vec![0.7]],
        ),
        (
            Domain::Real,
            Family::Gamma(GammaDistribution),
            vec![vec![2.5], vec![0.5]],
        ),
        (
            Domain::Real,
            LaplaceDistribution.into(),
            vec![vec![3.25], vec![0.8]],
        ),
        (Domain::Real, uniform(1.0, 4.0), vec![]),
        (Domain::Real, histogram(), bins.clone()),
    ];
    for domain in [Domain::Nat, wide, small] {
        let counts = [
            (Family::Poisson(PoissonDistribution), vec![vec![4.0]]),
            (Family::Geometric(GeometricDistribution), coin.clone()),
            (
                Family::NegativeBinomial(NegativeBinomialDistribution { successes: 4 }),
                coin.clone(),
            ),
            (
                Family::Binomial(BinomialDistribution { trials: 9 }),
                coin.clone(),
            ),
            (hypergeometric(), vec![]),
            (uniform(3.0, 7.0), vec![]),
            (histogram(), bins.clone()),
        ];
        let counts = counts.map(|(family, numbers)| (domain.clone(), family, numbers));
        all.extend(counts);
    }
    all
}

/// Nothing, one interval beside most peaks, and two with a gap over them.
pub(super) fn truncations(domain: &Domain) -> Vec<Option<ValueSet>> {
    let discrete = domain.is_discrete();
    let between = |low, high| ValueSet::between(low, high, discrete);
    let above = between(Cut::after(4.5), Cut::before(INF));
    let below = between(Cut::before(0.25), Cut::before(2.0));
    vec![None, Some(above.union(&below)), Some(below)]
}

#[test]
fn nothing_is_more_probable_than_the_mode() {
    for (domain, family, numbers) in families() {
        for truncation in truncations(&domain) {
            let vectors: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
            let leaf = one_leaf(domain.clone(), family.clone(), &vectors, truncation.clone());
            let (x, log_p) = mode(&leaf, &leaf.start_values(), &leaf.leaves()[0]);
            let step = if domain.is_discrete() {
                1.0
            } else {
                1.0 / 64.0
            };
            let points = (0..1280).map(|at| f64::from(at) * step);
            let (best, at) = points.fold((NOTHING, 0.0), |best, x| {
                let here = density(&leaf, x);
                if here > best.0 { (here, x) } else { best }
            });
            let name = format!("{family:?} of {domain} in {truncation:?}: {x}, but {at}");
            assert!(log_p >= best - 1e-12, "{name}");
            if best == NOTHING {
                assert_eq!(log_p, NOTHING, "{name}");
                continue;
            }
            close(log_p, density(&leaf, x));
        }
    }
}

#[test]
fn modes_are_where_formulas_say() {
    let at = |leaf: &CircuitGraph| mode(leaf, &leaf.start_values(), &leaf.leaves()[0]).0;
    assert_eq!(
        at(&real(Family::Normal(NormalDistribution), &[1.25, 2.0])),
        1.25
    );
    assert_eq!(at(&real(LaplaceDistribution.into(), &[1.25, 2.0])), 1.25);
    close(
        at(&real(Family::LogNormal(LogNormalDistribution), &[0.5, 0.8])),
        (0.5_f64 - 0.64).exp(),
    );
    assert_eq!(
        at(&real(Family::Gamma(GammaDistribution), &[2.5, 1.5])),
        1.0
    );
    // The density grows without bound towards 0, which is no value of the leaf.
    let (x, log_p) = {
        let leaf = real(Family::Gamma(GammaDistribution), &[0.5, 1.5]);
        mode(&leaf, &leaf.start_values(), &leaf.leaves()[0])
    };
    assert!(x > 0.0 && x < 1e-300 && log_p.is_finite());
    let set = ValueSet::between(Cut::after(2.0), Cut::before(3.0), false);
    let cut = one_leaf(
        Domain::Real,
        Family::Exponential(ExponentialDistribution),
        &[&[1.0]],
        Some(set),
    );
    assert_eq!(at(&cut), 2_f64.next_up());
    assert_eq!(at(&indicator(Domain::Nat, ValueSet::integers(3, 9))), 3.0);
    let never = count(Family::Geometric(GeometricDistribution), &[1.0, 0.0]);
    let (_, log_p) = mode(&never, &never.start_values(), &never.leaves()[0]);
    assert_eq!(log_p, NOTHING);
}

#[test]
fn tables_hold_the_densities() {
    for (domain, family, numbers) in families() {
        let Some(size) = domain.size() else { continue };
        for truncation in truncations(&domain) {
            let vectors: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
            let leaf = one_leaf(domain.clone(), family.clone(), &vectors, truncation);
            let table = log_table(&leaf, &leaf.start_values(), &leaf.leaves()[0]);
            assert_eq!(table.len() as u64, size);
            let points = (0..50.min(table.len())).map(|at| (at, domain.first() + at as f64));
            for (at, x) in points {
                assert_eq!(
                    table[at],
                    density(&leaf, x),
                    "{family:?} of {domain} at {x}"
                );
            }
        }
    }
    let leaf = indicator(Domain::Range { low: 2, high: 5 }, ValueSet::integers(3, 5));
    let table = log_table(&leaf, &leaf.start_values(), &leaf.leaves()[0]);
    assert_eq!(table, [NOTHING, 0.0, 0.0]);
}
