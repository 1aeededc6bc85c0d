//! Answers, marginals and completions against all assignments, on every engine.

use crate::kit::{World, rows_of};
use pelton_compiler::circuit::{Event, Property};
use pelton_runtime::query::{
    MapOptions, Posterior, QueryFailure, answer_rows, marginals, most_probable,
};
use pelton_tests::dice::Dice;
use pelton_tests::engine_suite::engines;
use pelton_tests::workload::{EVIDENCE, Features, evidence};

const SEEDS: u64 = 400;

/// What remains of a small world is compared.
fn each_world(mut look: impl FnMut(u64, &World, &mut Dice)) {
    let mut n = 0;
    for seed in 0..SEEDS {
        if let Some(world) = World::new(seed) {
            look(seed, &world, &mut Dice::new(seed));
            n += 1;
        }
    }
    assert!(n > 60, "{n} circuits are few");
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9 * (1.0 + expected.abs())
}

#[test]
fn answers_for_rows_are_what_enumeration_gives() {
    let (mut n_answers, mut n_impossible) = (0, 0);
    each_world(|seed, world, dice| {
        let kind = EVIDENCE[seed as usize % EVIDENCE.len()];
        let table = evidence(&world.workload, kind, 5, dice, &mut Features::new());
        let rows = rows_of(world.circuit(), &table);
        let queries = [world.query(dice), world.query(dice)];
        for engine in engines() {
            let model = world.model(engine);
            let parameters = model.parameters(world.workload.values.clone());
            let found = answer_rows(&model, &parameters, &queries, &table, 2);
            for (query, found) in queries.iter().zip(found) {
                for (cells, found) in rows.iter().zip(found) {
                    let given: f64 = world.within(cells, &query.given).map(|(_, p)| p).sum();
                    let both = Event::And(vec![query.event.clone(), query.given.clone()]);
                    let both: f64 = world.within(cells, &both).map(|(_, p)| p).sum();
                    match found.log {
                        Ok(log) => {
                            assert!(
                                close(log.exp(), both / given),
                                "seed {seed}, {engine:?}: {}, not {both}/{given}",
                                log.exp()
                            );
                            n_answers += 1;
                        }
                        Err(gap) => {
                            assert_eq!(gap, QueryFailure::ImpossibleGiven);
                            assert_eq!(given, 0.0, "seed {seed}, {engine:?}");
                            n_impossible += 1;
                        }
                    }
                }
            }
        }
    });
    assert!(
        n_answers > 1000 && n_impossible > 10,
        "{n_answers}, {n_impossible}"
    );
}

#[test]
fn marginals_are_what_enumeration_gives() {
    let mut n_numbers = 0;
    each_world(|seed, world, dice| {
        let kind = EVIDENCE[seed as usize % EVIDENCE.len()];
        let table = evidence(&world.workload, kind, 5, dice, &mut Features::new());
        let rows = rows_of(world.circuit(), &table);
        let given = if dice.chance(60) {
            world.event(dice)
        } else {
            Event::And(Vec::new())
        };
        for engine in engines() {
            let model = world.model(engine);
            let parameters = model.parameters(world.workload.values.clone());
            let found = match marginals(&model, &parameters, &given, &table, 2) {
                Ok(found) => found,
                Err(gap) => {
                    assert_eq!(gap, QueryFailure::ImpossibleGiven);
                    continue;
                }
            };
            for (row, cells) in rows.iter().enumerate() {
                let total: f64 = world.within(cells, &given).map(|(_, p)| p).sum();
                assert_eq!(
                    found.logs[row] == f64::NEG_INFINITY,
                    total == 0.0,
                    "seed {seed}"
                );
                for &variable in world.mentioned.iter().filter(|_| total > 0.0) {
                    let Posterior::Probabilities(p) = found.of(row, variable) else {
                        panic!("seed {seed}: a finite domain has probabilities");
                    };
                    let first = world.circuit().variable(variable).domain.first();
                    for (code, &p) in p.iter().enumerate() {
                        let x = first + code as f64;
                        let all = world.within(cells, &given);
                        let own = all.filter(|(other, _)| other[variable.index()] == x);
                        let expected = own.map(|(_, p)| p).sum::<f64>() / total;
                        assert!(
                            (p - expected).abs() < 1e-8,
                            "seed {seed}, {engine:?}: {p} {expected}"
                        );
                        n_numbers += 1;
                    }
                }
            }
        }
    });
    assert!(n_numbers > 5000, "{n_numbers}");
}

#[test]
fn completions_are_the_likeliest_or_called_approximate() {
    let (mut n_deterministic, mut n_tried) = (0, 0);
    each_world(|seed, world, dice| {
        let kind = EVIDENCE[seed as usize % EVIDENCE.len()];
        let table = evidence(&world.workload, kind, 3, dice, &mut Features::new());
        let rows = rows_of(world.circuit(), &table);
        let given = world.event(dice);
        for engine in engines() {
            let model = world.model(engine);
            let parameters = model.parameters(world.workload.values.clone());
            let options = MapOptions {
                threads: 2,
                ..MapOptions::default()
            };
            let Ok(found) = most_probable(&model, &parameters, &given, &table, &options) else {
                continue;
            };
            for (cells, found) in rows.iter().zip(found) {
                let total: f64 = world.within(cells, &given).map(|(_, p)| p).sum();
                let best = world
                    .within(cells, &given)
                    .map(|(_, p)| p)
                    .fold(0.0, f64::max);
                let Some(found) = found else {
                    assert_eq!(best, 0.0, "seed {seed}, {engine:?}");
                    continue;
                };
                let p = found.log.exp();
                assert!(found.is_exact, "seed {seed}: few completions are all tried");
                assert!(
                    close(p, best / total),
                    "seed {seed}, {engine:?}: {p}, not {best}/{total}"
                );
                if model.facts().is_proven(Property::Deterministic) {
                    n_deterministic += 1
                } else {
                    n_tried += 1
                }
            }
        }
    });
    assert!(
        n_deterministic > 50 && n_tried > 50,
        "{n_deterministic}, {n_tried}"
    );
}
