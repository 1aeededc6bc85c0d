//! Circuits whose mass is not 1: every answer is that of the value over the mass.

use crate::kit::{World, excess, holds};
use pelton_compiler::check::{CheckOptions, check};
use pelton_compiler::circuit::{CircuitGraph, DeclaredQuery, Event, ParameterValue, VarId};
use pelton_compiler::reference::{EvidenceCell, log_likelihood};
use pelton_compiler::repair::normalize;
use pelton_compiler::transform::condition;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::Engine;
use pelton_runtime::data::Table;
use pelton_runtime::query::{
    CircuitSampler, MapOptions, answer, given_boxes, marginals, most_probable,
};
use pelton_tests::dice::Dice;
use pelton_tests::engine_suite::engines;

const SEEDS: u64 = 400;

/// Worlds whose mass is not 1, with it.
fn unnormalized() -> impl Iterator<Item = (u64, World, f64)> {
    (0..SEEDS).filter_map(|seed| {
        let world = World::new(seed)?;
        let total: f64 = world.all.iter().map(|(_, p)| p).sum();
        ((total - 1.0).abs() > 1e-3).then_some((seed, world, total))
    })
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9 * (1.0 + expected.abs())
}

/// The event that all variables have the values of an assignment.
fn exactly(world: &World, x: &[f64]) -> Event {
    let point = |variable: &VarId| {
        let value = pelton_compiler::circuit::ValueSet::point(x[variable.index()], true);
        Event::In(*variable, value)
    };
    Event::And(world.mentioned.iter().map(point).collect())
}

fn asked(event: Event, given: Event) -> DeclaredQuery {
    DeclaredQuery {
        text: "P".into(),
        event,
        given,
        span: Default::default(),
    }
}

#[test]
fn evaluation_and_questions_agree() {
    let (mut n, mut n_counting) = (0, 0);
    for (seed, world, total) in unnormalized() {
        let rows: Vec<Vec<f64>> = world.all.iter().map(|(x, _)| x.clone()).collect();
        for engine in engines() {
            let model = world.model(engine);
            let parameters = model.parameters(world.workload.values.clone());
            let log_mass = model.log_mass(&parameters).unwrap();
            assert!(
                close(log_mass, total.ln()),
                "seed {seed}: {log_mass} {total}"
            );
            let divisor = model.log_divisor(&parameters).unwrap();
            let is_counting = world.circuit().is_counting();
            assert_eq!(divisor, if is_counting { 0.0 } else { log_mass });
            n_counting += usize::from(is_counting);
            let table = Table::from_assignments(model.circuit(), &rows);
            let found = model.log_likelihoods(&parameters, &table, 1).over(log_mass);
            for ((x, p), log) in world.all.iter().zip(&found.logs).take(20) {
                assert!(close(log.exp(), p / total), "seed {seed}, {engine:?}");
                let query = asked(exactly(&world, x), Event::And(Vec::new()));
                let own = answer(world.circuit(), &world.workload.values, &query);
                assert!(close(own.log.unwrap().exp(), p / total), "seed {seed}");
            }
        }
        n += 1;
    }
    assert!(n > 20, "{n} circuits are few");
    eprintln!("{n} circuits, {n_counting} of them counting");
}

#[test]
fn the_probability_of_evidence_is_one() {
    let mut n = 0;
    for (seed, world, total) in unnormalized() {
        let given = world.event(&mut Dice::new(seed));
        let missing = vec![EvidenceCell::Missing; world.circuit().variables().len()];
        let mass: f64 = world.within(&missing, &given).map(|(_, p)| p).sum();
        let model = world.model(Engine::Auto);
        let parameters = model.parameters(world.workload.values.clone());
        let nothing = vec![vec![f64::NAN; missing.len()]];
        let table = Table::from_assignments(model.circuit(), &nothing);
        let Ok(found) = marginals(&model, &parameters, &given, &table, 1) else {
            assert_eq!(mass, 0.0, "seed {seed}");
            continue;
        };
        assert!(close(found.logs[0].exp(), mass / total), "seed {seed}");
        let options = MapOptions::default();
        let best = most_probable(&model, &parameters, &given, &table, &options).unwrap();
        let expected = world.within(&missing, &given).map(|(_, p)| p);
        let expected = expected.fold(0.0, f64::max) / mass;
        let found = best[0].as_ref().map_or(f64::NAN, |best| best.log.exp());
        assert!(mass == 0.0 || close(found, expected), "seed {seed}");
        n += usize::from(mass > 0.0);
    }
    assert!(n > 10, "{n} circuits are few");
}

#[test]
fn conditioned_circuits_and_samples_are_of_the_same_distribution() {
    const N: usize = 4_000;
    let (mut n, mut n_conditioned) = (0, 0);
    for (seed, world, total) in unnormalized().take(40) {
        let given = world.event(&mut Dice::new(seed));
        let (circuit, values) = (world.circuit(), &world.workload.values);
        let mass: f64 = world
            .all
            .iter()
            .filter(|(x, _)| holds(&given, x))
            .map(|(_, p)| p)
            .sum();
        if mass == 0.0 {
            continue;
        }
        let model = world.model(Engine::Auto);
        let parameters = model.parameters(values.clone());
        let log_mass = model.log_mass(&parameters).unwrap();
        let regions = given_boxes(circuit, &given).unwrap();
        if let Ok(made) = condition(&world.checked, values, &regions, true, 1 << 20) {
            let log = made.log_evidence - log_mass;
            assert!(close(log.exp(), mass / total), "seed {seed}");
            n_conditioned += 1;
        }
        let sampler = CircuitSampler::new(&model, &parameters, &given).unwrap();
        let mut drawn = Vec::new();
        sampler
            .draw(0..N, seed, 1)
            .append_assignments(model.circuit(), &mut drawn);
        let width = circuit.variables().len();
        let is_same =
            |a: &[f64], b: &[f64]| world.mentioned.iter().all(|v| a[v.index()] == b[v.index()]);
        let possible = || world.all.iter().filter(|(x, _)| holds(&given, x));
        let count = |x: &[f64]| drawn.chunks(width).filter(|own| is_same(own, x)).count() as f64;
        let counts: Vec<f64> = possible().map(|(x, _)| count(x)).collect();
        let expected: Vec<f64> = possible().map(|(_, p)| p / mass * N as f64).collect();
        assert!(excess(&counts, &expected) < 0.0, "seed {seed}");
        n += 1;
    }
    assert!(n > 10 && n_conditioned > 5, "{n}, {n_conditioned}");
}

/// All units, a few of them, or one.
fn picks(circuit: &CircuitGraph, dice: &mut Dice, how: u64) -> Vec<bool> {
    let n = circuit.n_units();
    match how % 3 {
        0 => vec![true; n],
        1 => (0..n).map(|_| dice.chance(30)).collect(),
        _ => {
            let one = dice.below(n);
            (0..n).map(|at| at == one).collect()
        }
    }
}

#[test]
fn normalizing_keeps_the_distribution() {
    let (mut n, mut n_proven) = (0, 0);
    for (seed, world, total) in unnormalized() {
        for how in 0..3 {
            let circuit = world.circuit().clone();
            let picked = picks(&circuit, &mut Dice::new(seed + how), how);
            let has_learned = circuit.all_entries().iter().any(|entry| entry.learned);
            let has_names = circuit.parameters().iter().any(|own| own.name.is_some());
            let after = normalize(
                circuit,
                |unit| picked[unit.index()],
                &mut SourceDiagnostics::new(),
            );
            let values: Vec<ParameterValue> = after.start_values();
            let p = |x: &Vec<f64>| log_likelihood(&after, &values, x).exp();
            let whole: f64 = world.all.iter().map(|(x, _)| p(x)).sum();
            for (x, before) in &world.all {
                assert!(
                    close(p(x) / whole, before / total),
                    "seed {seed}, {how}: {} {}",
                    p(x) / whole,
                    before / total
                );
            }
            if how == 0 && !has_learned && !has_names {
                assert!((whole - 1.0).abs() < 1e-6, "seed {seed}: {whole}");
                let checked = check(
                    after,
                    &CheckOptions::default(),
                    &mut SourceDiagnostics::new(),
                );
                let property = pelton_compiler::circuit::Property::Normalized;
                assert!(checked.unwrap().facts().is_proven(property), "seed {seed}");
                n_proven += 1;
            }
            n += 1;
        }
    }
    assert!(n > 60 && n_proven > 3, "{n}, {n_proven}");
}
