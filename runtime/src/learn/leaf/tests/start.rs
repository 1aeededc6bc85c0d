//! Where leaves start.

use super::super::start;
use super::world::{Sketch, World, reals};
use pelton_compiler::circuit::{
    BinomialDistribution, Domain, ExponentialDistribution, Family, GammaDistribution,
    GeometricDistribution, LaplaceDistribution, LogNormalDistribution, NormalDistribution,
    ParamKind, ParameterEntry, ParameterValue, PoissonDistribution, ValueSet,
};
use pelton_compiler::leaf::log_truncation;

fn started(world: &World, seed: u64) -> Vec<ParameterValue> {
    let mut values = world.values.clone();
    start(
        &world.circuit,
        &world.plan,
        &world.ranges,
        seed,
        &mut values,
    );
    values
}

fn rows() -> Vec<(f64, f64)> {
    [9.0, 10.0, 11.0, 14.0].map(|x| (x, 1.0)).to_vec()
}

#[test]
fn starts_are_near_the_data_and_depend_on_the_seed_alone() {
    let mut sketch = Sketch::default();
    let (x, n) = (sketch.variable(Domain::Real), sketch.variable(Domain::Nat));
    let mean = sketch.number(ParamKind::Real, None, true);
    let other = sketch.number(ParamKind::Real, None, true);
    let sd = sketch.number(ParamKind::Positive, None, true);
    let given = sketch.number(ParamKind::Positive, Some(77.0), true);
    sketch.leaf(x, Family::Normal(NormalDistribution), &[mean, sd], None);
    sketch.leaf(x, Family::Normal(NormalDistribution), &[other, sd], None);
    sketch.leaf(
        x,
        Family::Exponential(ExponentialDistribution),
        &[given],
        None,
    );
    let rate = sketch.number(ParamKind::Positive, None, true);
    sketch.leaf(n, Family::Poisson(PoissonDistribution), &[rate], None);
    let (shape, inverse) = (
        sketch.number(ParamKind::Positive, None, true),
        sketch.number(ParamKind::Positive, None, true),
    );
    sketch.leaf(x, Family::Gamma(GammaDistribution), &[shape, inverse], None);
    let coin = sketch.parameter(
        ParamKind::Unit,
        &[ParameterEntry::learned(), ParameterEntry::learned()],
    );
    sketch.leaf(
        n,
        Family::Binomial(BinomialDistribution { trials: 20 }),
        &[coin],
        None,
    );
    let world = World::new(sketch.finish(), vec![rows(); 6]);
    let values = started(&world, 3);
    assert_eq!(values, started(&world, 3));
    assert_ne!(values, started(&world, 4));
    let number = |at: usize| values[at].linear();
    assert!((number(0) - 11.0).abs() < 12.0 && number(0) != number(1));
    assert!((number(2) - 3.5_f64.sqrt()).abs() < 1e-9);
    assert_eq!(number(3), 77.0);
    assert!((6.5..15.5).contains(&number(4)), "{}", number(4));
    let mean = number(5) / number(6);
    assert!((6.0..16.0).contains(&mean), "{mean}");
    assert!((number(7) + number(8) - 1.0).abs() < 1e-12);
    assert!((0.3..0.8).contains(&number(8)), "{}", number(8));
}

#[test]
fn truncated_leaves_start_with_mass() {
    let sets = [
        reals(13.0, f64::INFINITY),
        reals(10.0, 10.5),
        reals(400.0, 500.0),
        reals(1e6, f64::INFINITY),
        reals(2.0, 3.0),
    ];
    for set in sets {
        let mut sketch = Sketch::default();
        let x = sketch.variable(Domain::Real);
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
            let params: Vec<_> = kinds
                .iter()
                .map(|&kind| sketch.number(kind, None, true))
                .collect();
            sketch.leaf(x, family, &params, Some(set.clone()));
        }
        let world = World::new(sketch.finish(), vec![rows(), vec![], vec![], vec![]]);
        for seed in 0..50 {
            let values = started(&world, seed);
            for leaf in world.circuit.leaves() {
                let log_mass = log_truncation(&world.circuit, &values, leaf);
                assert!(log_mass > -200.0, "{log_mass} {leaf:?}");
            }
        }
    }
}

#[test]
fn nothing_observed_still_gives_legal_values() {
    let mut sketch = Sketch::default();
    let (x, n) = (sketch.variable(Domain::Real), sketch.variable(Domain::Nat));
    let rate = sketch.number(ParamKind::Positive, None, true);
    sketch.leaf(
        x,
        Family::Exponential(ExponentialDistribution),
        &[rate],
        None,
    );
    let busy = sketch.number(ParamKind::Positive, None, true);
    sketch.leaf(
        n,
        Family::Poisson(PoissonDistribution),
        &[busy],
        Some(ValueSet::integers(5, 9)),
    );
    let coin = sketch.parameter(
        ParamKind::Unit,
        &[ParameterEntry::learned(), ParameterEntry::learned()],
    );
    sketch.leaf(n, Family::Geometric(GeometricDistribution), &[coin], None);
    let world = World::new(sketch.finish(), vec![vec![]; 3]);
    for value in started(&world, 1) {
        assert!(value.linear() > 0.0 && value.linear().is_finite());
    }
}
