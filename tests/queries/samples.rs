//! Samples against exact probabilities, by chi-square tests with fixed seeds.

use crate::kit::{World, excess, model, rows_of};
use pelton_compiler::circuit::{Cut, DeclaredQuery, Event, ValueSet, VarId};
use pelton_runtime::Engine;
use pelton_runtime::data::{Column, Table};
use pelton_runtime::query::{CircuitSampler, RowSampling, answer, ask_given, sample_rows};
use pelton_tests::dice::Dice;
use pelton_tests::workload::{EvidenceKind, Features, evidence};
use std::collections::HashMap;

const N: usize = 20_000;

fn values(table: &Table, first: &[f64], row: usize) -> Vec<f64> {
    let columns = table.columns().iter().zip(first);
    columns
        .map(|(column, first)| match column {
            Column::Small(cells) => first + f64::from(cells[row]),
            Column::Codes(cells) => first + f64::from(cells[row]),
            Column::Reals(cells) => cells[row],
            _ => f64::NAN,
        })
        .collect()
}

#[test]
fn whole_assignments_come_as_often_as_they_should() {
    let mut n = 0;
    for seed in 0..120 {
        let Some(world) = World::new(seed) else {
            continue;
        };
        let mut dice = Dice::new(seed);
        let given = match seed % 3 {
            0 => Event::And(Vec::new()),
            _ => world.event(&mut dice),
        };
        let model = world.model(Engine::Auto);
        let parameters = model.parameters(world.workload.values.clone());
        let missing = vec![
            pelton_compiler::reference::EvidenceCell::Missing;
            world.circuit().variables().len()
        ];
        let total: f64 = world.within(&missing, &given).map(|(_, p)| p).sum();
        let Ok(sampler) = CircuitSampler::new(&model, &parameters, &given) else {
            assert_eq!(total, 0.0, "seed {seed}");
            continue;
        };
        let table = sampler.draw(0..N, seed, 2);
        let first: Vec<f64> = world
            .circuit()
            .variables()
            .iter()
            .map(|v| v.domain.first())
            .collect();
        let mut found: HashMap<Vec<i64>, f64> = HashMap::new();
        let key = |x: &[f64]| -> Vec<i64> {
            world
                .mentioned
                .iter()
                .map(|v| x[v.index()] as i64)
                .collect()
        };
        for row in 0..N {
            *found.entry(key(&values(&table, &first, row))).or_default() += 1.0;
        }
        let (mut counts, mut expected) = (Vec::new(), Vec::new());
        for (x, p) in world.within(&missing, &given) {
            counts.push(found.remove(&key(x)).unwrap_or(0.0));
            expected.push(p / total * N as f64);
            assert!(
                p > 0.0 || counts.last() == Some(&0.0),
                "seed {seed}: drew the impossible"
            );
        }
        assert!(found.is_empty(), "seed {seed}: drew what is not given");
        assert!(excess(&counts, &expected) < 0.0, "seed {seed}");
        n += 1;
    }
    assert!(n > 15, "{n} circuits are few");
}

#[test]
fn rows_are_completed_as_their_posterior_says() {
    let mut n = 0;
    for seed in 0..60 {
        let Some(world) = World::new(seed) else {
            continue;
        };
        let mut dice = Dice::new(seed);
        let kind = [EvidenceKind::Partial, EvidenceKind::Mixed][seed as usize % 2];
        let table = evidence(&world.workload, kind, 2, &mut dice, &mut Features::new());
        let rows = rows_of(world.circuit(), &table);
        let given = match seed % 3 {
            0 => world.event(&mut dice),
            _ => Event::And(Vec::new()),
        };
        for engine in [Engine::Auto, Engine::Reference] {
            let model = world.model(engine);
            let parameters = model.parameters(world.workload.values.clone());
            let options = RowSampling {
                n_each: 4000,
                seed,
                first_row: 0,
                threads: 2,
            };
            let Ok(found) = sample_rows(&model, &parameters, &given, &table, &options) else {
                continue;
            };
            for (cells, found) in rows.iter().zip(found) {
                let total: f64 = world.within(cells, &given).map(|(_, p)| p).sum();
                let Some(found) = found else {
                    assert_eq!(total, 0.0, "seed {seed}, {engine:?}");
                    continue;
                };
                for &variable in &world.mentioned {
                    let domain = &world.circuit().variable(variable).domain;
                    let size = domain.size().unwrap() as usize;
                    let (mut counts, mut expected) = (vec![0.0; size], vec![0.0; size]);
                    for x in &found {
                        counts[(x[variable.index()] - domain.first()) as usize] += 1.0;
                    }
                    for (x, p) in world.within(cells, &given) {
                        let at = (x[variable.index()] - domain.first()) as usize;
                        expected[at] += p / total * found.len() as f64;
                    }
                    let excess = excess(&counts, &expected);
                    assert!(
                        excess < 0.0,
                        "seed {seed}, {engine:?}: {counts:?} {expected:?}"
                    );
                    n += 1;
                }
            }
        }
    }
    assert!(n > 50, "{n} variables are few");
}

#[test]
fn numbers_are_drawn_within_what_is_given() {
    let model = model(
        "var rain : bool; var x, y : real; var n : nat;
         root 0.4: rain * x ~ normal(3, 1) * y ~ gamma(2, 1) * n ~ poisson(4)
            + 0.6: !rain * x ~ normal(8, 2) in [5, inf) * y ~ lognormal(0, 1) * n ~ geometric(0.3);",
    );
    let parameters = model.start_parameters();
    for (seed, text) in ["", "x > 4, y < 3", "x < 2 || x > 9, n in [2, 7]"]
        .iter()
        .enumerate()
    {
        let given = ask_given(model.circuit(), text).unwrap();
        let sampler = CircuitSampler::new(&model, &parameters, &given).unwrap();
        let table = sampler.draw(0..N, seed as u64, 2);
        for (at, step, is_discrete) in [(1, 0.5, false), (2, 0.25, false), (3, 1.0, true)] {
            let Column::Reals(cells) = &table.columns()[at] else {
                panic!("numbers");
            };
            let (mut counts, mut expected) = (Vec::new(), Vec::new());
            for bin in 0..40 {
                let low = f64::from(bin) * step;
                let set = ValueSet::between(Cut::before(low), Cut::before(low + step), is_discrete);
                counts.push(cells.iter().filter(|&&x| set.contains(x)).count() as f64);
                let query = DeclaredQuery {
                    text: String::new(),
                    event: Event::In(VarId::new(at), set),
                    given: given.clone(),
                    span: Default::default(),
                };
                let log = answer(model.circuit(), parameters.values(), &query)
                    .log
                    .unwrap();
                expected.push(log.exp() * N as f64);
            }
            let excess = excess(&counts, &expected);
            assert!(excess < 0.0, "{text}, {at}: {counts:?} {expected:?}");
        }
    }
}
