//! Results do not depend on threads, nor samples on how many are drawn at a time.

use pelton_compiler::circuit::Event;
use pelton_compiler::kernel::Precision;
use pelton_runtime::data::{Column, MISSING_SMALL, Table};
use pelton_runtime::query::{
    CircuitSampler, MapOptions, RowSampling, answer_rows, ask, ask_given, marginals, most_probable,
    sample_rows,
};
use pelton_runtime::{Engine, Model, ModelOptions};
use pelton_tests::dice::Dice;
use pelton_workload::{checked, hclt, rows};

fn with_gaps(table: &Table) -> Table {
    let mut dice = Dice::new(5);
    let columns = table.columns().iter().map(|column| match column {
        Column::Small(cells) => {
            let cell = |&cell: &u8| if dice.chance(40) { MISSING_SMALL } else { cell };
            Column::Small(cells.iter().map(cell).collect())
        }
        other => other.clone(),
    });
    Table::new(table.n_rows(), columns.collect())
}

fn model(engine: Engine, precision: Precision) -> Model {
    let options = ModelOptions {
        engine,
        precision,
        ..ModelOptions::default()
    };
    Model::compile(checked(hclt(12, 2, 4, 1)), &options).unwrap()
}

#[test]
fn one_thread_and_many_agree_bit_for_bit() {
    let model = model(Engine::Auto, Precision::F32);
    let parameters = model.start_parameters();
    let table = with_gaps(&rows(model.circuit(), 3000, 2));
    let name = |at: usize| model.circuit().variables()[at].name.clone();
    let query = [ask(model.circuit(), &format!("P({} | {})", name(0), name(3))).unwrap()];
    let given = ask_given(model.circuit(), &format!("{} || !{}", name(1), name(2))).unwrap();
    let answers = |threads| answer_rows(&model, &parameters, &query, &table, threads);
    assert_eq!(answers(1), answers(3));
    let posteriors = |threads| {
        let found = marginals(&model, &parameters, &given, &table, threads).unwrap();
        format!("{found:?}")
    };
    assert_eq!(posteriors(1), posteriors(3));
    let complete = |threads| {
        let options = MapOptions {
            threads,
            samples: 10,
            ..MapOptions::default()
        };
        most_probable(&model, &parameters, &given, &table, &options).unwrap()
    };
    assert_eq!(complete(1), complete(3));
    let drawn = |threads| {
        let options = RowSampling {
            n_each: 2,
            seed: 4,
            first_row: 0,
            threads,
        };
        sample_rows(&model, &parameters, &given, &table, &options).unwrap()
    };
    assert_eq!(drawn(1), drawn(3));
    let sampler = CircuitSampler::new(&model, &parameters, &given).unwrap();
    let all = sampler.draw(0..10_000, 9, 1);
    assert_eq!(all, sampler.draw(0..10_000, 9, 3));
    assert_eq!(all.slice(3000..7000), sampler.draw(3000..7000, 9, 2));
    assert_ne!(all, sampler.draw(0..10_000, 10, 1));
}

#[test]
fn engines_and_precisions_agree() {
    let nothing = Event::And(Vec::new());
    let reference = model(Engine::Reference, Precision::F64);
    let table = with_gaps(&rows(reference.circuit(), 100, 2));
    let expected = marginals(
        &reference,
        &reference.start_parameters(),
        &nothing,
        &table,
        1,
    );
    let expected = expected.unwrap();
    for (engine, precision, allowed) in [
        (Engine::Auto, Precision::F32, 1e-5),
        (Engine::Cranelift, Precision::F32, 1e-5),
        (Engine::Auto, Precision::F64, 1e-12),
    ] {
        let model = model(engine, precision);
        let found = marginals(&model, &model.start_parameters(), &nothing, &table, 1).unwrap();
        for row in 0..table.n_rows() {
            for variable in 0..model.circuit().variables().len() {
                let variable = pelton_compiler::circuit::VarId::new(variable);
                use pelton_runtime::query::Posterior::Probabilities;
                let (Probabilities(own), Probabilities(other)) =
                    (found.of(row, variable), expected.of(row, variable))
                else {
                    panic!("truth values have probabilities");
                };
                let far = own.iter().zip(other).any(|(a, b)| (a - b).abs() > allowed);
                assert!(!far, "{engine:?} {precision:?}: {own:?} {other:?}");
            }
        }
    }
}

#[test]
fn a_search_that_cannot_be_exact_says_so_and_is_no_worse_than_max_product() {
    let options = ModelOptions::default();
    let model = Model::compile(checked(hclt(40, 2, 4, 1)), &options).unwrap();
    let parameters = model.start_parameters();
    let table = Table::new(1, vec![Column::Missing; 40]);
    let nothing = Event::And(Vec::new());
    let find = |samples| {
        let options = MapOptions {
            samples,
            ..MapOptions::default()
        };
        let found = most_probable(&model, &parameters, &nothing, &table, &options).unwrap();
        found[0].clone().unwrap()
    };
    let (plain, sampled) = (find(0), find(500));
    assert!(!plain.is_exact && !sampled.is_exact);
    assert!(sampled.log >= plain.log);
    let own = Table::from_assignments(model.circuit(), std::slice::from_ref(&sampled.values));
    let log = model.log_likelihoods(&parameters, &own, 1).logs[0];
    assert!((log - sampled.log).abs() < 1e-4, "{log} {}", sampled.log);
}
