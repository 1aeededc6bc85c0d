//! `condition`: ratios of evaluations.

use crate::kit::*;
use pelton_compiler::circuit::{CircuitGraph, Property, ValueSet, VarId};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::leaf;
use pelton_compiler::reference::log_values_over;
use pelton_compiler::transform::{TransformError, condition};
use pelton_tests::dice::Dice;

const MAX_SIZE: usize = 1_000_000;

/// The logarithm of the mass of a region and a row together: an evaluation with sets
/// for the region's variables and points for the row's.
fn log_joint(circuit: &CircuitGraph, region: &ValueBox, row: &Row) -> f64 {
    let values = circuit.start_values();
    let logs = log_values_over(circuit, &values, |leaf| {
        let variable = circuit.variable(leaf.variable);
        let x = row.get(&variable.name).copied().unwrap_or(f64::NAN);
        match region.set(leaf.variable) {
            Some(set) if !x.is_nan() && !set.contains(x) => f64::NEG_INFINITY,
            Some(set) if x.is_nan() => {
                if is_point(circuit, leaf.variable, set) {
                    leaf::log_density(circuit, &values, leaf, set.runs()[0].0.value())
                } else {
                    leaf::log_mass(circuit, &values, leaf, set)
                }
            }
            _ => leaf::log_density(circuit, &values, leaf, x),
        }
    });
    logs[circuit.root().index()]
}

fn is_point(circuit: &CircuitGraph, id: VarId, set: &ValueSet) -> bool {
    !circuit.variable(id).domain.is_discrete() && set.measure() == 0.0
}

#[test]
fn a_conditioned_circuit_is_a_ratio_of_evaluations() {
    let (mut n_done, mut n_zero, mut n_empty) = (0, 0, 0);
    for (seed, before) in circuits() {
        let circuit = before.circuit();
        let mut dice = Dice::new(seed + 1);
        let region = draw_region(&mut dice, circuit);
        let keeps = dice.chance(50);
        let log_evidence = log_joint(circuit, &region, &Row::new());
        let values = circuit.start_values();
        let regions = [region.clone()];
        let after = match condition(&before, &values, &regions, keeps, MAX_SIZE) {
            Ok(after) => after,
            Err(TransformError::Zero(_)) => {
                assert_eq!(log_evidence, f64::NEG_INFINITY, "seed {seed}");
                n_zero += 1;
                continue;
            }
            Err(TransformError::Circuit(_) | TransformError::NothingLeft) => {
                n_empty += 1;
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        };
        n_done += 1;
        assert_near(after.log_evidence, log_evidence, &format!("seed {seed}"));
        let new = after.circuit.checked.circuit();
        assert_near(log_mass(new), 0.0, &format!("seed {seed}"));
        assert_sound(&after.circuit, seed);
        for property in [Property::Deterministic, Property::Structured] {
            assert_keeps(property, &before, new, seed);
        }
        assert!(
            checked(new.clone())
                .unwrap()
                .facts()
                .is_proven(Property::Normalized)
        );
        assert!(new.all_entries().iter().all(|entry| !entry.learned));
        for _ in 0..N_ROWS {
            let row = draw_row(&mut dice, new, true);
            let expected = log_joint(circuit, &region, &row) - log_evidence;
            let context = format!("seed {seed}, {region:?}, {row:?}\n{}", text_of(new));
            assert_near(log_at(new, &row), expected, &context);
        }
    }
    println!("{n_done} conditioned, {n_zero} impossible, {n_empty} without a variable");
    assert!(n_done > 300 && n_zero > 20 && n_empty > 5);
}

#[test]
fn a_union_is_a_mixture_of_its_regions() {
    let mut n_done = 0;
    for (seed, before) in circuits().filter(|(seed, _)| seed % 3 == 0) {
        let circuit = before.circuit();
        let mut dice = Dice::new(seed + 2);
        // Cut at one variable, so that the regions do not overlap.
        let id = VarId::new(dice.below(circuit.variables().len()));
        let domain = &circuit.variable(id).domain;
        let set = draw_set(&mut dice, domain);
        let rest = domain.full().minus(&set);
        if set.measure() == 0.0 || rest.measure() == 0.0 {
            continue;
        }
        let regions = [set, rest].map(|set| {
            let mut region = draw_region(&mut dice, circuit);
            // Points of the reals would be densities beside probabilities.
            let broad = region
                .sets()
                .filter(|(id, set)| set.measure() > 0.0 && !is_point(circuit, *id, set));
            region = broad.map(|(id, set)| (id, set.clone())).collect();
            region.insert(id, set);
            region
        });
        let values = circuit.start_values();
        let Ok(after) = condition(&before, &values, &regions, false, MAX_SIZE) else {
            continue;
        };
        n_done += 1;
        let joint = |row: &Row| {
            leaf::log_sum_exp(regions.iter().map(|region| log_joint(circuit, region, row)))
        };
        let log_evidence = joint(&Row::new());
        assert_near(after.log_evidence, log_evidence, &format!("seed {seed}"));
        let new = after.circuit.checked.circuit();
        assert_sound(&after.circuit, seed);
        assert_keeps(Property::Deterministic, &before, new, seed);
        for _ in 0..N_ROWS {
            let row = draw_row(&mut dice, new, true);
            let context = format!("seed {seed}, {regions:?}, {row:?}");
            assert_near(log_at(new, &row), joint(&row) - log_evidence, &context);
        }
    }
    assert!(n_done > 100, "{n_done}");
}

#[test]
fn known_variables_leave_or_stay() {
    let before = read(
        "var rain, wet : bool; var temp : real;
         root 0.3: rain * wet ~ bernoulli(0.9) * temp ~ normal(5, 2)
            + 0.7: !rain * wet ~ bernoulli(0.2) * temp ~ normal(15, 4);
         assert root is deterministic, normalized;
         query P(rain); query P(wet);",
    );
    let values = before.circuit().start_values();
    let known = ValueBox::from_iter([(VarId::new(1), ValueSet::integers(1, 2))]);
    let left = condition(
        &before,
        &values,
        std::slice::from_ref(&known),
        false,
        MAX_SIZE,
    )
    .unwrap();
    let names = |circuit: &CircuitGraph| -> Vec<String> {
        circuit.variables().iter().map(|v| v.name.clone()).collect()
    };
    let circuit = left.circuit.checked.circuit();
    assert_eq!(names(circuit), ["rain", "temp"]);
    assert_eq!(left.circuit.notes.len(), 1);
    assert_eq!(circuit.queries().len(), 1);
    assert_eq!(circuit.assertions()[0].properties.len(), 2);
    let kept = condition(&before, &values, &[known], true, MAX_SIZE).unwrap();
    assert_eq!(
        names(kept.circuit.checked.circuit()),
        ["rain", "wet", "temp"]
    );
    assert!(kept.circuit.notes.is_empty());
    // A point of the real axis has no indicator.
    let point = ValueBox::from_iter([(VarId::new(2), ValueSet::point(10.0, false))]);
    let gone = condition(&before, &values, &[point], true, MAX_SIZE).unwrap();
    assert_eq!(
        (
            gone.n_not_kept,
            gone.circuit.checked.circuit().variables().len()
        ),
        (1, 2)
    );
}

#[test]
fn too_many_copies_are_refused() {
    let before = read("var x : 0..100; root x ~ uniform();");
    let values = before.circuit().start_values();
    let regions: Vec<ValueBox> = (0..50)
        .map(|at| ValueBox::from_iter([(VarId::new(0), ValueSet::integers(2 * at, 2 * at + 1))]))
        .collect();
    let refused = condition(&before, &values, &regions, false, 20).unwrap_err();
    assert!(refused.to_string().contains("50 parts"), "{refused}");
}
