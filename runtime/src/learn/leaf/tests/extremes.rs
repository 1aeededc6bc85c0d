//! What must not break a step.

use super::super::ObservedRanges;
use super::super::ranges::ObservedRange;
use super::maker::random_worlds;
use super::world::{Dice, Sketch, World, reals};
use crate::data::{Column, Table};
use pelton_compiler::circuit::{
    Domain, ExponentialDistribution, Family, GammaDistribution, LaplaceDistribution,
    LogNormalDistribution, NormalDistribution, ParamKind, ParameterValue,
};
use pelton_compiler::flow::LeafFlows;

fn normal(rows: &[(f64, f64)]) -> World {
    let mut sketch = Sketch::default();
    let x = sketch.variable(Domain::Real);
    let mean = sketch.number(ParamKind::Real, None, true);
    let sd = sketch.number(ParamKind::Positive, None, true);
    sketch.leaf(x, Family::Normal(NormalDistribution), &[mean, sd], None);
    World::new(sketch.finish(), vec![rows.to_vec()])
}

#[test]
fn a_spread_without_data_to_fill_it_stops_at_its_floor() {
    let mut world = normal(&[(5.0, 3.0), (7.0, 3.0)]);
    // All of the flow is at one value of a column that has two.
    world.rows = vec![vec![(5.0, 3.0)]];
    let ranges = world.ranges.clone();
    world.observe();
    world.ranges = ranges;
    let mut values = world.values.clone();
    let outcome = world.step().update(&mut values);
    assert_eq!((outcome.n_floored, outcome.n_ceiled), (1, 0));
    assert_eq!(outcome.examples, ["p[0]"]);
    assert!((values[0].linear() - 5.0).abs() < 1e-12);
    assert!((values[1].linear() - 1e-5).abs() < 1e-12);
    // What lies beyond the floor already is kept rather than made worse.
    values[1] = ParameterValue::Linear(1e-6);
    world.step().update(&mut values);
    assert_eq!(values[1].linear(), 1e-6);
}

#[test]
fn entropy_that_outweighs_data_stops_at_the_ceiling() {
    let mut world = normal(&[(5.0, 3.0), (7.0, 3.0)]);
    (world.tau, world.reach) = (2.0, vec![1.0]);
    let mut values = world.values.clone();
    let outcome = world.step().update(&mut values);
    assert_eq!((outcome.n_floored, outcome.n_ceiled), (0, 1));
    assert!((values[1].linear() - 1e3).abs() < 1e-9);
}

#[test]
fn constant_columns_have_a_small_floor() {
    let mut world = normal(&[(5.0, 3.0), (5.0, 1.0)]);
    world.rounds = 5;
    let mut values = world.values.clone();
    let outcome = world.step().update(&mut values);
    assert_eq!(outcome.n_floored, 1);
    assert_eq!(values[0].linear(), 5.0);
    assert!(values[1].linear() > 1e-9 && values[1].linear() < 1e-3);
}

#[test]
fn what_nothing_flows_to_stays() {
    for (seed, mut world) in (0..500).flat_map(random_worlds) {
        world.rows.iter_mut().for_each(Vec::clear);
        world.flows.entries.fill(0.0);
        world.alpha = 0.0;
        world.observe();
        let mut values = world.values.clone();
        let outcome = world.step().update(&mut values);
        assert_eq!(values, world.values, "seed {seed}");
        assert!(!outcome.is_bounded());
    }
}

/// Flows as no data would have them, but as rounding and overflow might.
fn distorted(world: &mut World, dice: &mut Dice) {
    let sizes = [
        0.0,
        5e-324,
        1e-310,
        1e-150,
        1.0,
        1e150,
        1e308,
        f64::INFINITY,
    ];
    for flows in &mut world.flows.leaves {
        let size = sizes[dice.below(sizes.len())];
        for number in flows.numbers_mut() {
            if dice.chance(70) {
                *number = *number * size + if dice.chance(20) { size } else { 0.0 };
            }
            if number.is_nan() {
                *number = 0.0;
            }
        }
        if let LeafFlows::Moments(numbers) = flows {
            numbers[0] = numbers[0].abs();
        }
    }
    world.recount();
}

#[test]
fn no_flow_makes_a_parameter_illegal() {
    for (seed, mut world) in (0..3000).flat_map(random_worlds) {
        let mut dice = Dice::new(seed);
        distorted(&mut world, &mut dice);
        world.mass = [1.0, 1e-300, 1e300][dice.below(3)];
        world.rounds = 1 + dice.below(3);
        let mut values = world.values.clone();
        world.step().update(&mut values);
        for parameter in world.circuit.parameters() {
            for value in &values[parameter.entries()] {
                let x = value.linear();
                assert!(x.is_finite(), "seed {seed}: {x}");
                assert!(
                    parameter.kind != ParamKind::Positive || x > 0.0,
                    "seed {seed}: {x}"
                );
                let is_share = (0.0..=1.0 + 1e-9).contains(&x);
                assert!(!parameter.kind.adds_up() || is_share, "seed {seed}: {x}");
            }
        }
    }
}

#[test]
fn huge_and_tiny_data_are_learned() {
    for size in [1e-150, 1e-9, 1e9, 1e150] {
        let rows = [(1.0 * size, 1.0), (2.0 * size, 2.0), (4.0 * size, 1.0)];
        for (family, kinds) in [
            (
                Family::Normal(NormalDistribution),
                vec![ParamKind::Real, ParamKind::Positive],
            ),
            (
                Family::LogNormal(LogNormalDistribution),
                vec![ParamKind::Real, ParamKind::Positive],
            ),
            (
                Family::Laplace(LaplaceDistribution),
                vec![ParamKind::Real, ParamKind::Positive],
            ),
            (
                Family::Exponential(ExponentialDistribution),
                vec![ParamKind::Positive],
            ),
            (
                Family::Gamma(GammaDistribution),
                vec![ParamKind::Positive, ParamKind::Positive],
            ),
        ] {
            for set in [None, Some(reals(0.5 * size, 5.0 * size))] {
                let mut sketch = Sketch::default();
                let x = sketch.variable(Domain::Real);
                let params: Vec<_> = kinds
                    .iter()
                    .map(|&kind| sketch.number(kind, None, true))
                    .collect();
                sketch.leaf(x, family.clone(), &params, set.clone());
                let mut world = World::new(sketch.finish(), vec![rows.to_vec()]);
                super::super::start(
                    &world.circuit,
                    &world.plan,
                    &world.ranges,
                    7,
                    &mut world.values,
                );
                world.flows.leaves[0].numbers_mut().fill(0.0);
                world.observe();
                world.rounds = 20;
                let before = world.definition(&world.values);
                let mut values = world.values.clone();
                world.step().update(&mut values);
                let after = world.definition(&values);
                let name = format!("{family:?} in {set:?} of size {size}");
                assert!(
                    before.is_finite() && after >= before - 1e-9 * before.abs(),
                    "{name}: {before} to {after}"
                );
                assert!(
                    values.iter().all(|value| value.linear().is_finite()),
                    "{name}"
                );
                if set.is_none() && family == Family::Exponential(ExponentialDistribution) {
                    let rate = values[0].linear() * size;
                    assert!((rate - 4.0 / 9.0).abs() < 1e-9, "{name}: {rate}");
                }
            }
        }
    }
}

fn range_of(columns: &[Column], weights: Option<&[f64]>) -> ObservedRange {
    let world = normal(&[]);
    let mut ranges = ObservedRanges::new(&world.circuit);
    for column in columns {
        let n = column.n_cells().unwrap_or(0);
        ranges.add(&Table::new(n, vec![column.clone()]), weights);
    }
    *ranges.range(0)
}

#[test]
fn ranges_are_of_observed_cells() {
    let parts = [
        Column::Reals(vec![1.0, f64::NAN, 3.0]),
        Column::Reals(vec![-2.0, f64::NAN, 8.0]),
    ];
    let range = range_of(&parts, None);
    assert_eq!((range.n_cells, range.min, range.max), (4, -2.0, 8.0));
    assert!((range.mean() - 2.5).abs() < 1e-12);
    assert!((range.sd() - 13.25_f64.sqrt()).abs() < 1e-12);
    let logs = [0.0, 3_f64.ln(), 8_f64.ln()];
    let mean = logs.iter().sum::<f64>() / 3.0;
    assert!((range.log_mean() - mean).abs() < 1e-12);
    let weighted = range_of(&parts[..1], Some(&[3.0, 1.0, 1.0]));
    assert!((weighted.mean() - 1.5).abs() < 1e-12);
    let huge = range_of(&[Column::Reals(vec![-1e300, 1e300, 1e308])], None);
    assert!(huge.mean().is_finite() && huge.sd().is_finite());
}
