//! Leaves of every family over the reals and the naturals, with cells to try.

use crate::circuit::{
    BinomialDistribution, CircuitGraph, Cut, Domain, ExponentialDistribution, Family,
    FiniteConstant, GammaDistribution, GeometricDistribution, HistogramDistribution,
    HypergeometricDistribution, LaplaceDistribution, Leaf, LeafId, LeafKind, LogNormalDistribution,
    NegativeBinomialDistribution, NormalDistribution, ParamKind, ParameterEntry,
    PoissonDistribution, SourceOrigin, UniformDistribution, ValueSet,
};
use crate::emit::tests::fixture::{Kit, leaf};
use crate::leaf::{log_density, mode, support};
use crate::reference::EvaluationPurpose;

/// A variable's leaves, and numbers to look at.
pub(super) struct World {
    pub circuit: CircuitGraph,
    pub cells: Vec<f64>,
}

pub(super) type Spec<'a> = (Family, &'a [&'a [f64]], Option<ValueSet>);

pub(super) fn world(domain: Domain, specs: &[Spec<'_>], sets: &[ValueSet], cells: &[f64]) -> World {
    let mut kit = Kit::default();
    let variable = kit.var("x", domain);
    let mut units = Vec::new();
    for (family, numbers, truncation) in specs {
        let params: Vec<_> = numbers
            .iter()
            .map(|numbers| {
                let entries: Vec<ParameterEntry> =
                    numbers.iter().map(|&n| ParameterEntry::fixed(n)).collect();
                let kind = match entries.len() {
                    1 => ParamKind::Real,
                    _ => ParamKind::Simplex,
                };
                kit.param(kind, &entries)
            })
            .collect();
        let leaf = leaf(variable, family.clone(), &params, truncation.clone());
        units.push(kit.builder.input(leaf, SourceOrigin::default()));
    }
    for set in sets {
        let kind = LeafKind::Indicator(set.clone());
        units.push(
            kit.builder
                .input(Leaf { variable, kind }, SourceOrigin::default()),
        );
    }
    let circuit = kit.builder.finish(units[0]);
    World {
        circuit,
        cells: cells.to_vec(),
    }
}

pub(super) fn interval(low: f64, high: f64) -> ValueSet {
    ValueSet::between(Cut::before(low), Cut::before(high), false)
}

pub(super) fn reals() -> World {
    let far = interval(40.0, f64::INFINITY);
    let holes = interval(-1.0, 0.5).union(&interval(2.0, 3.0));
    let breaks = [0.0, 1.0, 4.0, 6.0].map(FiniteConstant::new).to_vec();
    let (low, high) = (FiniteConstant::new(1.0), FiniteConstant::new(4.0));
    let specs: [Spec<'_>; 18] = [
        (LaplaceDistribution.into(), &[&[1.0], &[2.0]], None),
        (LaplaceDistribution.into(), &[&[-7.0], &[1e-3]], None),
        (
            LaplaceDistribution.into(),
            &[&[0.3], &[1.5]],
            Some(holes.clone()),
        ),
        (Family::Normal(NormalDistribution), &[&[1.0], &[2.0]], None),
        (
            Family::Normal(NormalDistribution),
            &[&[-7.0], &[1e-3]],
            None,
        ),
        (
            Family::Normal(NormalDistribution),
            &[&[0.0], &[1.0]],
            Some(far),
        ),
        (
            Family::Normal(NormalDistribution),
            &[&[0.3], &[1.5]],
            Some(holes.clone()),
        ),
        (
            Family::LogNormal(LogNormalDistribution),
            &[&[0.5], &[0.8]],
            None,
        ),
        (
            Family::LogNormal(LogNormalDistribution),
            &[&[0.5], &[0.8]],
            Some(interval(0.1, 2.0)),
        ),
        (
            Family::Exponential(ExponentialDistribution),
            &[&[0.7]],
            None,
        ),
        (
            Family::Exponential(ExponentialDistribution),
            &[&[0.7]],
            Some(holes.clone()),
        ),
        (Family::Gamma(GammaDistribution), &[&[2.5], &[1.5]], None),
        (Family::Gamma(GammaDistribution), &[&[0.5], &[3.0]], None),
        (
            Family::Gamma(GammaDistribution),
            &[&[1.0], &[3.0]],
            Some(interval(0.5, 9.0)),
        ),
        (
            Family::Uniform(UniformDistribution { low, high }),
            &[],
            None,
        ),
        (
            Family::Uniform(UniformDistribution { low, high }),
            &[],
            Some(holes.clone()),
        ),
        (
            Family::Histogram(HistogramDistribution {
                breaks: breaks.clone(),
            }),
            &[&[0.2, 0.0, 0.8]],
            None,
        ),
        (
            Family::Histogram(HistogramDistribution { breaks }),
            &[&[0.2, 0.3, 0.5]],
            Some(interval(0.5, 5.0)),
        ),
    ];
    let cells = [
        f64::NAN,
        0.0,
        -0.0,
        0.25,
        0.5,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        4.0,
        5.9,
        6.0,
        17.0,
        40.0,
        41.5,
        -0.5,
        -1.0,
        -3.0,
        -7.001,
        1e-9,
        1e9,
        -1e9,
        1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    let point = ValueSet::between(Cut::before(2.0), Cut::after(2.0), false);
    world(Domain::Real, &specs, &[holes, point], &cells)
}

pub(super) fn counts() -> World {
    let draws = Family::Hypergeometric(HypergeometricDistribution {
        population: 50,
        successes: 20,
        draws: 10,
    });
    let breaks = [0.0, 1.0, 4.0, 6.0].map(FiniteConstant::new).to_vec();
    let some = ValueSet::integers(2, 9);
    let specs: [Spec<'_>; 16] = [
        (Family::Poisson(PoissonDistribution), &[&[3.2]], None),
        (Family::Poisson(PoissonDistribution), &[&[1e6]], None),
        (Family::Poisson(PoissonDistribution), &[&[0.0]], None),
        (
            Family::Poisson(PoissonDistribution),
            &[&[3.2]],
            Some(some.clone()),
        ),
        (
            Family::Geometric(GeometricDistribution),
            &[&[0.7, 0.3]],
            None,
        ),
        (
            Family::Geometric(GeometricDistribution),
            &[&[0.0, 1.0]],
            None,
        ),
        (
            Family::Geometric(GeometricDistribution),
            &[&[0.7, 0.3]],
            Some(ValueSet::integers_from(5)),
        ),
        (
            Family::NegativeBinomial(NegativeBinomialDistribution { successes: 3 }),
            &[&[0.7, 0.3]],
            None,
        ),
        (
            Family::NegativeBinomial(NegativeBinomialDistribution { successes: 4 }),
            &[&[0.7, 0.3]],
            Some(some.clone()),
        ),
        (
            Family::Binomial(BinomialDistribution { trials: 10 }),
            &[&[0.7, 0.3]],
            None,
        ),
        (
            Family::Binomial(BinomialDistribution { trials: 10 }),
            &[&[1.0, 0.0]],
            None,
        ),
        (
            Family::Binomial(BinomialDistribution { trials: 10 }),
            &[&[0.0, 1.0]],
            None,
        ),
        (
            Family::Binomial(BinomialDistribution { trials: 1000 }),
            &[&[0.2, 0.8]],
            Some(some.clone()),
        ),
        (draws.clone(), &[], None),
        (draws, &[], Some(some.clone())),
        (
            Family::Histogram(HistogramDistribution { breaks }),
            &[&[0.2, 0.0, 0.8]],
            None,
        ),
    ];
    let cells = [
        f64::NAN,
        0.0,
        1.0,
        2.0,
        3.0,
        4.0,
        5.0,
        8.0,
        9.0,
        10.0,
        11.0,
        50.0,
        1000.0,
        1e6,
        2.5,
        -1.0,
        1e12,
        f64::INFINITY,
    ];
    world(Domain::Nat, &specs, &[some], &cells)
}

/// Parameters for which the terms of formulas would be large numbers that cancel.
pub(super) fn large_counts() -> World {
    let draws = Family::Hypergeometric(HypergeometricDistribution {
        population: u32::MAX,
        successes: 2_000_000_000,
        draws: 1_000_000_000,
    });
    let trials = Family::Binomial(BinomialDistribution {
        trials: 4_000_000_000,
    });
    let failures = Family::NegativeBinomial(NegativeBinomialDistribution { successes: 3 });
    let specs: [Spec<'_>; 8] = [
        (Family::Poisson(PoissonDistribution), &[&[65.0]], None),
        (Family::Poisson(PoissonDistribution), &[&[4.657e8]], None),
        (Family::Poisson(PoissonDistribution), &[&[1e12]], None),
        (
            Family::Geometric(GeometricDistribution),
            &[&[1.0, 1e-17]],
            None,
        ),
        (trials.clone(), &[&[1.0, 1e-17]], None),
        (trials, &[&[0.884, 0.116]], None),
        (failures, &[&[1.0 - 1e-12, 1e-12]], None),
        (draws, &[], None),
    ];
    let cells = [
        f64::NAN,
        0.0,
        1.0,
        64.0,
        80.0,
        465_663_000.0,
        465_700_000.0,
        1e9,
        1e12,
        1_000_002_000_000.0,
        9e15,
        0.5,
        -1.0,
    ];
    world(Domain::Nat, &specs, &[], &cells)
}

/// The same on the real axis.
pub(super) fn large_reals() -> World {
    let specs: [Spec<'_>; 3] = [
        (Family::Gamma(GammaDistribution), &[&[65.0], &[1.0]], None),
        (Family::Gamma(GammaDistribution), &[&[1e12], &[0.3]], None),
        (Family::Gamma(GammaDistribution), &[&[1e-10], &[1e-3]], None),
    ];
    let cells = [f64::NAN, 0.0, 1e-300, 1.0, 70.0, 3.333_34e12, 1e15, -1.0];
    world(Domain::Real, &specs, &[], &cells)
}

impl World {
    pub fn leaves(&self) -> Vec<LeafId> {
        (0..self.circuit.leaves().len()).map(LeafId::new).collect()
    }

    pub fn log(&self, leaf: usize, x: f64, purpose: EvaluationPurpose) -> f64 {
        let (circuit, values) = (&self.circuit, self.circuit.start_values());
        let leaf = &circuit.leaves()[leaf];
        let domain = &circuit.variable(leaf.variable).domain;
        match purpose {
            EvaluationPurpose::Max if x.is_nan() => mode(circuit, &values, leaf).1,
            EvaluationPurpose::Support if x.is_nan() => 0.0,
            EvaluationPurpose::Support if domain.is_discrete() && x.fract() != 0.0 => {
                f64::NEG_INFINITY
            }
            EvaluationPurpose::Support if support(circuit, leaf).contains(x) => 0.0,
            EvaluationPurpose::Support => f64::NEG_INFINITY,
            _ => log_density(circuit, &values, leaf, x),
        }
    }
}
