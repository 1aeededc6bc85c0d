//! Steps and counts against formulas.

use super::super::family::gamma::shape_of_gap;
use super::world::{Sketch, World, reals};
use pelton_compiler::circuit::{
    BernoulliDistribution, BinomialDistribution, CategoricalDistribution, CircuitGraph, Domain,
    ExponentialDistribution, Family, FiniteConstant, GammaDistribution, GeometricDistribution,
    HistogramDistribution, LaplaceDistribution, LogNormalDistribution,
    NegativeBinomialDistribution, NormalDistribution, ParamId, ParamKind, ParameterEntry,
    ParameterValue, PoissonDistribution, ValueSet,
};

const ROWS: [(f64, f64); 4] = [(1.0, 0.5), (2.0, 2.0), (4.5, 1.0), (3.0, 0.25)];

fn sum(of: impl Fn(f64) -> f64) -> f64 {
    ROWS.iter().map(|&(x, flow)| flow * of(x)).sum()
}

fn flow() -> f64 {
    sum(|_| 1.0)
}

#[track_caller]
fn close(found: f64, expected: f64) {
    let error = (found - expected).abs() / expected.abs().max(1e-3);
    assert!(error < 1e-9, "{found} is not {expected} ({error:e})");
}

/// One leaf of learned numbers that start at 1, and its rows.
fn one(family: Family, kinds: &[ParamKind]) -> World {
    let mut sketch = Sketch::default();
    let domain = match family {
        Family::Poisson(PoissonDistribution) => Domain::Nat,
        _ => Domain::Real,
    };
    let x = sketch.variable(domain);
    let params: Vec<ParamId> = kinds
        .iter()
        .map(|&kind| sketch.number(kind, Some(1.0), true))
        .collect();
    sketch.leaf(x, family, &params, None);
    World::new(sketch.finish(), vec![ROWS.to_vec()])
}

fn stepped(world: &World) -> Vec<f64> {
    let mut values = world.values.clone();
    let outcome = world.step().update(&mut values);
    assert!(!outcome.is_bounded(), "{outcome:?}");
    values.iter().map(|value| value.linear()).collect()
}

#[test]
fn normal_and_lognormal() {
    let mut world = one(
        Family::Normal(NormalDistribution),
        &[ParamKind::Real, ParamKind::Positive],
    );
    let mean = sum(|x| x) / flow();
    let squares = sum(|x| (x - mean).powi(2));
    let found = stepped(&world);
    close(found[0], mean);
    close(found[1], (squares / flow()).sqrt());
    (world.tau, world.reach) = (0.3, vec![0.5]);
    let found = stepped(&world);
    close(found[0], mean);
    close(
        found[1],
        (squares / (flow() - world.mass * 0.3 * 0.5)).sqrt(),
    );
    let mut world = one(
        Family::LogNormal(LogNormalDistribution),
        &[ParamKind::Real, ParamKind::Positive],
    );
    let mean = sum(f64::ln) / flow();
    close(stepped(&world)[0], mean);
    (world.tau, world.reach) = (0.3, vec![0.5]);
    // The entropy of the leaf's logarithm does not know its mean; that of the leaf does.
    let weight = world.mass * 0.3 * 0.5;
    let found = stepped(&world);
    close(found[0], mean + weight / flow());
    let squares = sum(|x| (x.ln() - found[0]).powi(2));
    close(found[1], (squares / (flow() - weight)).sqrt());
}

#[test]
fn rates_and_shapes() {
    let mut world = one(
        Family::Exponential(ExponentialDistribution),
        &[ParamKind::Positive],
    );
    close(stepped(&world)[0], flow() / sum(|x| x));
    (world.tau, world.reach) = (0.3, vec![0.5]);
    close(
        stepped(&world)[0],
        (flow() - world.mass * 0.15) / sum(|x| x),
    );
    let world = World {
        rows: vec![vec![(1.0, 2.0), (4.0, 0.5)]],
        ..one(Family::Poisson(PoissonDistribution), &[ParamKind::Positive])
    };
    let mut world = world;
    world.observe();
    close(stepped(&world)[0], 4.0 / 2.5);
    let world = one(
        Family::Gamma(GammaDistribution),
        &[ParamKind::Positive, ParamKind::Positive],
    );
    let found = stepped(&world);
    let gap = (sum(|x| x) / flow()).ln() - sum(f64::ln) / flow();
    close(found[0], shape_of_gap(gap));
    close(found[1], found[0] * flow() / sum(|x| x));
}

#[test]
fn medians_and_mean_distances() {
    let kinds = [ParamKind::Real, ParamKind::Positive];
    let mut world = one(Family::Laplace(LaplaceDistribution), &kinds);
    let mut before = world.definition(&world.values);
    // Half of the flow is at 2 or below, and more than half is at 2 or above.
    for _ in 0..60 {
        let values = stepped(&world);
        world.values = values.into_iter().map(ParameterValue::Linear).collect();
        let after = world.definition(&world.values);
        assert!(after >= before, "{before} to {after}");
        before = after;
        world.observe();
    }
    let found = stepped(&world);
    assert!((found[0] - 2.0).abs() < 1e-7, "{}", found[0]);
    let distance = sum(|x| (x - found[0]).abs()) / flow();
    close(found[1], distance);
    (world.tau, world.reach) = (0.3, vec![0.5]);
    close(
        stepped(&world)[1],
        distance * flow() / (flow() - world.mass * 0.15),
    );
}

#[test]
fn tied_means_are_weighted_by_precision_and_tied_spreads_pool() {
    let mut sketch = Sketch::default();
    let (x, y) = (sketch.variable(Domain::Real), sketch.variable(Domain::Real));
    let mean = sketch.number(ParamKind::Real, Some(0.5), true);
    let narrow = sketch.number(ParamKind::Positive, Some(0.5), false);
    let wide = sketch.number(ParamKind::Positive, Some(2.0), false);
    sketch.leaf(x, Family::Normal(NormalDistribution), &[mean, narrow], None);
    sketch.leaf(y, Family::Normal(NormalDistribution), &[mean, wide], None);
    let world = World::new(sketch.finish(), vec![vec![(1.0, 2.0)], vec![(3.0, 6.0)]]);
    close(
        stepped(&world)[0],
        (2.0 * 4.0 + 6.0 * 0.25 * 3.0) / (2.0 * 4.0 + 6.0 * 0.25),
    );

    let mut sketch = Sketch::default();
    let (x, y) = (sketch.variable(Domain::Real), sketch.variable(Domain::Real));
    let (low, high) = (
        sketch.number(ParamKind::Real, Some(1.0), false),
        sketch.number(ParamKind::Real, Some(2.0), false),
    );
    let spread = sketch.number(ParamKind::Positive, Some(1.0), true);
    sketch.leaf(x, Family::Normal(NormalDistribution), &[low, spread], None);
    sketch.leaf(y, Family::Normal(NormalDistribution), &[high, spread], None);
    let world = World::new(
        sketch.finish(),
        vec![vec![(2.0, 3.0), (1.0, 1.0)], vec![(4.0, 1.0)]],
    );
    close(stepped(&world)[2], ((3.0 + 4.0) / 5.0_f64).sqrt());
}

fn coin(sketch: &mut Sketch) -> ParamId {
    let half = ParameterEntry {
        value: Some(ParameterValue::Linear(0.5)),
        learned: true,
    };
    sketch.parameter(ParamKind::Unit, &[half, half])
}

fn counts_of(
    domain: Domain,
    family: Family,
    set: Option<ValueSet>,
    rows: &[(f64, f64)],
) -> Vec<f64> {
    let mut sketch = Sketch::default();
    let x = sketch.variable(domain);
    let param = coin(&mut sketch);
    sketch.leaf(x, family, &[param], set);
    let world = World::new(sketch.finish(), vec![rows.to_vec()]);
    assert!(world.plan.is_counted(param, 0.0) && !world.plan.is_counted(param, 0.1));
    world.counts
}

#[test]
fn trials_are_counts_whatever_form_flows_come_in() {
    let rows = [(2.0, 1.5), (5.0, 1.0)];
    let domains = [
        (Domain::Nat, None),
        (Domain::Range { low: 0, high: 13 }, None),
        (Domain::Range { low: -3, high: 13 }, None),
        (
            Domain::Range {
                low: 0,
                high: 9_000_000,
            },
            None,
        ),
        (Domain::Nat, Some(ValueSet::integers_from(0))),
    ];
    for (domain, set) in domains {
        let of = |family| counts_of(domain.clone(), family, set.clone(), &rows);
        assert_eq!(
            of(Family::Binomial(BinomialDistribution { trials: 12 })),
            [30.0 - 8.0, 8.0]
        );
        assert_eq!(of(Family::Geometric(GeometricDistribution)), [8.0, 2.5]);
        assert_eq!(
            of(Family::NegativeBinomial(NegativeBinomialDistribution {
                successes: 3
            })),
            [8.0, 7.5]
        );
    }
}

fn binned(domain: Domain, set: Option<ValueSet>) -> (World, ParamId) {
    let mut sketch = Sketch::default();
    let x = sketch.variable(domain);
    let entry = ParameterEntry {
        value: Some(ParameterValue::Linear(1.0 / 3.0)),
        learned: true,
    };
    let param = sketch.parameter(ParamKind::Simplex, &[entry; 3]);
    let breaks = [1.0, 2.0, 4.0, 9.0].map(FiniteConstant::new).to_vec();
    sketch.leaf(
        x,
        Family::Histogram(HistogramDistribution { breaks }),
        &[param],
        set,
    );
    let rows = vec![vec![(1.0, 0.5), (3.0, 1.0), (2.0, 2.0), (8.0, 4.0)]];
    (World::new(sketch.finish(), rows), param)
}

#[test]
fn bins_are_counts_and_like_children_as_wide_as_they_are() {
    let domains = [
        Domain::Real,
        Domain::Nat,
        Domain::Range { low: 1, high: 9 },
        Domain::Range {
            low: -2,
            high: 2_000_000,
        },
    ];
    for domain in domains {
        let (world, param) = binned(domain, None);
        assert_eq!(world.counts, [0.5, 3.0, 4.0]);
        assert!(world.plan.is_counted(param, 0.5));
        let gammas = &world.plan.sum_like()[0].gammas;
        assert_eq!(gammas, &[1_f64, 2.0, 5.0].map(f64::ln));
    }
    let (world, param) = binned(Domain::Real, Some(reals(1.5, 9.0)));
    assert!(!world.plan.is_counted(param, 0.0) && world.plan.sum_like().is_empty());
    let (world, param) = binned(Domain::Real, Some(reals(0.0, 9.0)));
    assert!(world.plan.is_counted(param, 0.3) && world.plan.sum_like().len() == 1);
}

#[test]
fn plain_circuits_have_nothing_to_plan() {
    let mut sketch = Sketch::default();
    let (x, y) = (sketch.variable(Domain::Bool), sketch.variable(Domain::Real));
    let param = coin(&mut sketch);
    sketch.leaf(x, Family::Bernoulli(BernoulliDistribution), &[param], None);
    let (mean, sd) = (
        sketch.number(ParamKind::Real, Some(0.0), false),
        sketch.number(ParamKind::Positive, Some(1.0), false),
    );
    sketch.leaf(y, Family::Normal(NormalDistribution), &[mean, sd], None);
    let circuit: CircuitGraph = sketch.finish();
    let plan = super::super::LeafPlan::new(&circuit);
    assert!(plan.is_empty() && plan.is_counted(param, 0.5));
}

#[test]
fn unseen_values_count_as_often_as_expected() {
    let mut sketch = Sketch::default();
    let x = sketch.variable(Domain::Range { low: 0, high: 4 });
    let entry = |value, learned| ParameterEntry {
        value: Some(ParameterValue::Linear(value)),
        learned,
    };
    let entries = [
        entry(0.2, true),
        entry(0.1, false),
        entry(0.3, true),
        entry(0.4, true),
    ];
    let param = sketch.parameter(ParamKind::Simplex, &entries);
    sketch.leaf(
        x,
        Family::Categorical(CategoricalDistribution),
        &[param],
        Some(ValueSet::integers(0, 3)),
    );
    let mut world = World::new(
        sketch.finish(),
        vec![vec![(0.0, 2.0), (1.0, 1.0), (2.0, 3.0)]],
    );
    world.rounds = 2000;
    let found = stepped(&world);
    assert_eq!(found[1], 0.1);
    // Among 0, 1 and 2 the likeliest are a third, a sixth and a half.
    close(found[0], 0.2);
    close(found[2], 0.3);
    close(found[3], 0.4);
}
