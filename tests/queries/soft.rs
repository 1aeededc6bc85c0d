//! Soft evidence of any size: only how weights compare says anything of variables.

use crate::kit::{World, model};
use pelton_compiler::circuit::{Event, VarId};
use pelton_compiler::kernel::Precision;
use pelton_runtime::data::{Column, Table};
use pelton_runtime::query::Posterior;
use pelton_runtime::query::{
    MapOptions, RowSampling, answer_rows, ask, marginals, most_probable, sample_rows,
};
use pelton_runtime::{Engine, Model, ModelOptions};
use pelton_tests::dice::Dice;
use pelton_tests::engine_suite::engines;

const N_ROWS: usize = 70;

/// Rows that are known softly, and how much each cell weighs.
fn rows(world: &World, dice: &mut Dice, factor: f64) -> Table {
    let column = |variable: &VarId| {
        let domain = &world.circuit().variable(*variable).domain;
        let n_values = domain.size().unwrap() as usize;
        let weights = (0..N_ROWS * n_values).map(|_| dice.fraction());
        let weights: Vec<f64> = weights.collect();
        (variable.index(), n_values, weights)
    };
    let drawn: Vec<_> = world.mentioned.iter().map(column).collect();
    let mut columns = vec![Column::Missing; world.circuit().variables().len()];
    for (at, n_values, weights) in drawn {
        let weights = weights.into_iter().map(|weight| weight * factor).collect();
        columns[at] = Column::Soft { n_values, weights };
    }
    Table::new(N_ROWS, columns)
}

fn compiled(world: &World, engine: Engine, precision: Precision) -> Model {
    let options = ModelOptions {
        engine,
        precision,
        ..ModelOptions::default()
    };
    Model::compile(world.checked.clone(), &options).unwrap()
}

fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    found == expected || (found - expected).abs() < tolerance * (1.0 + expected.abs())
}

#[test]
fn factors_of_cells_shift_the_evidence_and_change_no_posterior() {
    let mut n = 0;
    for (seed, world) in (0..60).filter_map(|seed| Some((seed, World::new(seed)?))) {
        let table = |factor| rows(&world, &mut Dice::new(seed), factor);
        let nothing = Event::And(Vec::new());
        for (engine, precision) in engines()
            .into_iter()
            .flat_map(|engine| [(engine, Precision::F32), (engine, Precision::F64)])
        {
            let tolerance = match precision {
                Precision::F32 if engine != Engine::Reference => 1e-4,
                _ => 1e-9,
            };
            let model = compiled(&world, engine, precision);
            let parameters = model.parameters(world.workload.values.clone());
            let wanted = marginals(&model, &parameters, &nothing, &table(1.0), 1).unwrap();
            for factor in [1e300, 1e-300] {
                let said = format!("seed {seed}, {engine:?}, {precision:?}, {factor}");
                let table = table(factor);
                let found = marginals(&model, &parameters, &nothing, &table, 1).unwrap();
                let shift = world.mentioned.len() as f64 * factor.ln();
                let logs = model.log_likelihoods(&parameters, &table, 1).logs;
                for row in 0..N_ROWS {
                    let expected = wanted.logs[row] + shift;
                    assert!(close(found.logs[row], expected, tolerance), "{said}");
                    assert!(
                        close(
                            logs[row] - logs[0],
                            wanted.logs[row] - wanted.logs[0],
                            tolerance
                        ),
                        "{said}"
                    );
                    for &variable in &world.mentioned {
                        let pair = (found.of(row, variable), wanted.of(row, variable));
                        let (Posterior::Probabilities(found), Posterior::Probabilities(wanted)) =
                            pair
                        else {
                            continue;
                        };
                        for (found, wanted) in found.iter().zip(wanted) {
                            let is_close = close(*found, *wanted, tolerance);
                            let both_nan = found.is_nan() && wanted.is_nan();
                            assert!(is_close || both_nan, "{said}: {found} {wanted}");
                        }
                    }
                }
                n += 1;
            }
        }
    }
    assert!(n > 100, "{n} cases");
}

const PAIR: &str = "var rain, wet : bool;
    root 0.3: rain * (0.9: wet + 0.1: !wet) + 0.7: !rain * !wet;";

/// The likelihoods of a dry and of a rainy sky, in rows that are wet.
fn wet_rows(dry: f64, rainy: f64) -> Table {
    let sky = Column::Soft {
        n_values: 2,
        weights: [dry, rainy].repeat(N_ROWS),
    };
    Table::new(N_ROWS, vec![sky, Column::Small(vec![1; N_ROWS])])
}

#[test]
fn the_only_weight_that_is_possible_may_be_tiny_beside_another() {
    for (dry, rainy) in [
        (1.0, 1e-46),
        (1.0, 1e-40),
        (1e300, 1e-300),
        (1e-300, 5e-324),
    ] {
        for precision in [Precision::F32, Precision::F64] {
            let checked = crate::kit::circuit(PAIR);
            let options = ModelOptions {
                precision,
                ..ModelOptions::default()
            };
            let model = Model::compile(checked, &options).unwrap();
            let parameters = model.start_parameters();
            let table = wet_rows(dry, rainy);
            let log = model.log_likelihoods(&parameters, &table, 1).logs[7];
            let expected = 0.27_f64.ln() + rainy.ln();
            assert!(close(log, expected, 1e-6), "{log} {expected}");
            let query = ask(model.circuit(), "P(rain)").unwrap();
            let answers = answer_rows(&model, &parameters, &[query], &table, 1);
            let p = answers[0][0].log.unwrap().exp();
            assert!(close(p, 1.0, 1e-6), "{dry} {rainy}: {p}");
            let nothing = Event::And(Vec::new());
            let found = marginals(&model, &parameters, &nothing, &table, 1).unwrap();
            let of_rain = found.of(0, VarId::new(0));
            assert_eq!(of_rain, Posterior::Probabilities(&[0.0, 1.0]));
            let best = most_probable(
                &model,
                &parameters,
                &nothing,
                &table,
                &MapOptions::default(),
            );
            let best = best.unwrap()[0].clone().unwrap();
            assert_eq!(best.values, [1.0, 1.0]);
            assert!(best.log.abs() < 1e-6, "{best:?}");
            let sampling = RowSampling {
                n_each: 3,
                seed: 1,
                first_row: 0,
                threads: 1,
            };
            let drawn = sample_rows(&model, &parameters, &nothing, &table, &sampling).unwrap();
            assert_eq!(drawn[0], Some(vec![vec![1.0, 1.0]; 3]));
        }
    }
}

#[test]
fn cells_without_weight_are_impossible() {
    let model = model(PAIR);
    let parameters = model.start_parameters();
    let logs = model
        .log_likelihoods(&parameters, &wet_rows(0.0, 0.0), 1)
        .logs;
    assert!(logs.iter().all(|&log| log == f64::NEG_INFINITY));
}

#[test]
fn double_precision_sees_all_digits_of_weights() {
    let model = model(PAIR);
    let parameters = model.start_parameters();
    // In single precision these weights are equal.
    let table = wet_rows(1.0, 1.0 + 1e-9);
    let log = model.log_likelihoods(&parameters, &table, 1).logs[0];
    assert!((log - 0.27_f64.ln() - 1e-9).abs() < 1e-14, "{log}");
}
