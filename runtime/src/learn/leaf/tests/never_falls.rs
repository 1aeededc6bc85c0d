//! Q by the step's own account and by its definition.

use super::maker::random_worlds;
use super::world::Dice;
use pelton_compiler::circuit::{ParamKind, ParameterValue};

#[test]
fn the_objective_is_the_definition_but_for_a_constant() {
    for (seed, world) in (0..600).flat_map(random_worlds) {
        let step = world.step();
        let mut dice = Dice::new(seed + 1_000_000);
        let mut other = world.values.clone();
        for (at, parameter) in world.circuit.parameters().iter().enumerate() {
            let entries = &world.circuit.all_entries()[parameter.entries()];
            let free: Vec<usize> = parameter
                .entries()
                .zip(entries)
                .filter(|(_, e)| e.learned)
                .map(|(at, _)| at)
                .collect();
            let id = pelton_compiler::circuit::ParamId::new(at);
            if parameter.kind.adds_up() && world.plan.is_counted(id, world.tau) {
                continue;
            }
            if parameter.kind == ParamKind::Simplex && free.len() > 1 {
                let share = other[free[0]].linear() * dice.fraction();
                other[free[0]] = ParameterValue::Linear(other[free[0]].linear() - share);
                other[free[1]] = ParameterValue::Linear(other[free[1]].linear() + share);
            } else if parameter.kind == ParamKind::Unit && free.len() == 2 {
                let p = dice.between(0.05, 0.95);
                other[free[0]] = ParameterValue::Linear(1.0 - p);
                other[free[1]] = ParameterValue::Linear(p);
            } else if !parameter.kind.adds_up() {
                free.iter().for_each(|&at| {
                    other[at] = ParameterValue::Linear(other[at].linear() * dice.between(0.7, 1.4))
                });
            }
        }
        let found = step.objective(&other) - step.objective(&world.values);
        let expected = world.definition(&other) - world.definition(&world.values);
        let scale = world.definition(&other).abs() + world.definition(&world.values).abs() + 1.0;
        // Local flows are worth what the data are where they were computed, and elsewhere less.
        let is_less = world.is_local() && found < expected;
        assert!(
            is_less || (found - expected).abs() < 1e-9 * scale,
            "seed {seed}: {found}, not {expected}"
        );
    }
}

#[test]
fn a_step_never_lowers_the_objective() {
    let mut n_risen = 0;
    for (seed, world) in (0..4000).flat_map(random_worlds) {
        let before = world.definition(&world.values);
        let mut values = world.values.clone();
        world.step().update(&mut values);
        let after = world.definition(&values);
        assert!(
            after >= before - 1e-10 * (1.0 + before.abs()),
            "seed {seed}: {before} to {after}"
        );
        n_risen += usize::from(after > before + 1e-9);
        for (at, entry) in world.circuit.all_entries().iter().enumerate() {
            assert!(
                entry.learned || values[at] == world.values[at],
                "seed {seed}: entry {at} is fixed"
            );
        }
        for parameter in world.circuit.parameters() {
            let own = &values[parameter.entries()];
            let numbers = || own.iter().map(|value| value.linear());
            assert!(numbers().all(f64::is_finite), "seed {seed}");
            match parameter.kind {
                ParamKind::Positive => assert!(numbers().all(|x| x > 0.0), "seed {seed}"),
                ParamKind::Real => {}
                _ => {
                    let total: f64 = numbers().sum();
                    assert!((total - 1.0).abs() < 1e-9, "seed {seed}: {total}");
                    assert!(numbers().all(|x| x >= 0.0), "seed {seed}");
                }
            }
        }
    }
    assert!(n_risen > 5000, "{n_risen}");
}
