//! Models against the reference, on circuits with every kind of evidence.

use super::fill::cells;
use super::*;
use crate::data::{Column, Table};
use pelton_compiler::flow::CircuitFlows;
use pelton_compiler::kernel::EvaluationPurpose;
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::reference::{self, log_values_of};
use pelton_compiler::{AnalysisOptions, analyze};

const MIXTURE: &str = "
    var a : bool;
    var b : {red, green, blue};
    var n : 0..20;
    var t : real;
    var k : nat;
    node good = a ~ bernoulli(0.9) * b ~ categorical(0.2, 0.3, 0.5) * n ~ binomial(19, 0.3)
        * t ~ normal(1.5, 0.25) * k ~ poisson(3.0);
    node bad = a ~ bernoulli(0.2) * b ~ categorical(0.6, 0.4, 0.0) * n ~ binomial(19, 0.7)
        * t ~ normal(-1.0, 2.0) * k ~ geometric(0.4);
    root 0.3: good + 0.7: bad;
";

const CHAIN: &str = "
    const T = 150;
    const K = 5;
    var x[0..T] : 0..12;
    param start : simplex(K) = ?;
    param move[0..K] : simplex(K) = ?;
    param emit[0..K] : simplex(12) = ?;
    node z[t in 0..T, k in 0..K] =
        if t + 1 == T { x[t] ~ categorical(emit[k]) }
        else { x[t] ~ categorical(emit[k]) * sum j in 0..K { move[k, j]: z[t + 1, j] } };
    root sum k in 0..K { start[k]: z[0, k] };
";

fn checked(text: &str) -> Checked {
    let input = SourceInput {
        name: "test".into(),
        path: None,
        bytes: text.into(),
    };
    let analysis = analyze(input, &FileLoader, &AnalysisOptions::default());
    let found: Vec<String> = analysis.found.iter().map(|m| m.message.clone()).collect();
    analysis
        .into_checked()
        .unwrap_or_else(|| panic!("{found:?}"))
}

/// A simple generator of numbers from 0 up to 1.
fn numbers(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Random weights for what is learned, in place of equal ones.
fn random_parameters(model: &Model) -> Parameters {
    let mut next = numbers(3);
    let mut values = model.circuit().start_values();
    for parameter in model.circuit().parameters() {
        let entries = parameter.entries();
        if parameter.kind.adds_up() && model.circuit().all_entries()[entries.start].learned {
            let drawn: Vec<f64> = entries.clone().map(|_| next().powi(3)).collect();
            let total: f64 = drawn.iter().sum();
            for (at, value) in entries.zip(drawn) {
                values[at] = ParameterValue::Linear(value / total);
            }
        }
    }
    model.parameters(values)
}

fn random_table(circuit: &CircuitGraph, n_rows: usize, missing: f64) -> Table {
    let mut next = numbers(7);
    let rows: Vec<Vec<f64>> = (0..n_rows)
        .map(|_| {
            let value = |variable: &pelton_compiler::circuit::CircuitVariable| {
                if next() < missing {
                    f64::NAN
                } else {
                    match variable.domain.size() {
                        Some(n) => variable.domain.first() + (next() * n as f64).floor(),
                        None if variable.domain.is_discrete() => (next() * 8.0).floor(),
                        None => next() * 40.0 - 20.0,
                    }
                }
            };
            circuit.variables().iter().map(value).collect()
        })
        .collect();
    Table::from_assignments(circuit, &rows)
}

fn assert_close(found: f64, wanted: f64, relative: f64, what: &str) {
    let error = (found - wanted).abs() / wanted.abs().max(1.0);
    let same = found == wanted || error <= relative;
    assert!(same, "{what}: {found} instead of {wanted}");
}

/// Every engine that runs here, with and without what not every CPU has, in each precision.
fn all_options() -> Vec<ModelOptions> {
    let mut all = Vec::new();
    for &engine in Engine::ALL {
        for (precision, baseline) in [
            (Precision::F32, false),
            (Precision::F32, true),
            (Precision::F64, false),
            (Precision::F64, true),
        ] {
            all.push(ModelOptions {
                engine,
                precision,
                baseline,
                ..ModelOptions::default()
            });
        }
    }
    let has_kernels = |options: &ModelOptions| {
        let engine = options.select_engine();
        options.engine != Engine::Auto && engine.is_ok_and(|engine| !engine.is_reference())
    };
    all.retain(has_kernels);
    all
}

fn compare(text: &str, missing: f64) {
    let checked = checked(text);
    for options in all_options() {
        let model = Model::compile(checked.clone(), &options).expect("compiles here");
        let parameters = random_parameters(&model);
        let table = random_table(model.circuit(), 150, missing);
        compare_values(&model, &parameters, &table);
        compare_flows(&model, &parameters, &table);
        compare_completions(&model, &parameters, &table);
    }
}

fn bounds(model: &Model) -> (f64, f64) {
    match model.options().precision {
        Precision::F32 => (1e-5, 1e-4),
        Precision::F64 => (1e-10, 1e-8),
    }
}

fn compare_values(model: &Model, parameters: &Parameters, table: &Table) {
    let (circuit, values) = (model.circuit(), parameters.values());
    let logs = model.log_likelihoods(parameters, table, 2).logs;
    let maxima = model.completions(parameters, table, 1);
    for row in 0..table.n_rows() {
        let cells = cells(model, parameters, table, row);
        let root =
            |purpose| log_values_of(circuit, values, &cells, purpose)[circuit.root().index()];
        assert_close(
            logs[row],
            root(EvaluationPurpose::Value),
            bounds(model).0,
            "log-likelihood",
        );
        assert_close(
            maxima[row].log_value,
            root(EvaluationPurpose::Max),
            bounds(model).0,
            "maximum",
        );
    }
}

fn compare_completions(model: &Model, parameters: &Parameters, table: &Table) {
    let (circuit, values) = (model.circuit(), parameters.values());
    let found = model.completions(parameters, table, 2);
    for (row, found) in found.iter().enumerate() {
        let cells = cells(model, parameters, table, row);
        let wanted = reference::complete(circuit, values, &cells);
        assert_close(
            found.log_value,
            wanted.log_value,
            bounds(model).0,
            "maximum",
        );
        // Of equally good completions another may be found.
        let cells = reference::EvidenceCell::row(&found.values);
        let logs = log_values_of(circuit, values, &cells, EvaluationPurpose::Max);
        let log = logs[circuit.root().index()];
        assert_close(log, wanted.log_value, bounds(model).0, "completion");
    }
}

fn compare_flows(model: &Model, parameters: &Parameters, table: &Table) {
    let (circuit, values) = (model.circuit(), parameters.values());
    let mut wanted = CircuitFlows::zero(circuit);
    for row in 0..table.n_rows() {
        let cells = cells(model, parameters, table, row);
        if let Some(flows) = reference::flows(circuit, values, &cells) {
            flows.add_to(&mut wanted);
        }
    }
    let found = model.flows(parameters, table, &FlowOptions::default());
    for (found, wanted) in found.flows.entries.iter().zip(&wanted.entries) {
        assert_close(*found, *wanted, bounds(model).1, "flow");
    }
    for (found, wanted) in found.flows.leaves.iter().zip(&wanted.leaves) {
        for (found, wanted) in found.numbers().iter().zip(wanted.numbers()) {
            assert_close(*found, *wanted, bounds(model).1, "flow into a leaf");
        }
    }
}

#[test]
fn a_mixture_of_all_kinds_of_leaves() {
    compare(MIXTURE, 0.0);
    compare(MIXTURE, 0.3);
}

#[test]
fn a_long_chain_does_not_underflow() {
    compare(CHAIN, 0.1);
}

#[test]
fn flows_do_not_depend_on_threads() {
    let model = Model::compile(checked(CHAIN), &ModelOptions::default()).expect("compiles here");
    let parameters = random_parameters(&model);
    let table = random_table(model.circuit(), 1500, 0.1);
    let flows = |threads| {
        let options = FlowOptions {
            threads,
            ..FlowOptions::default()
        };
        model.flows(&parameters, &table, &options)
    };
    let (one, three) = (flows(1), flows(3));
    assert_eq!(one.flows, three.flows);
    assert_eq!(one.log_likelihood.to_bits(), three.log_likelihood.to_bits());
}

#[test]
fn soft_evidence_mixes_values() {
    let model = Model::compile(checked(MIXTURE), &ModelOptions::default()).expect("compiles here");
    let parameters = model.start_parameters();
    let mut columns = random_table(model.circuit(), 100, 0.2).columns().to_vec();
    for (at, n_values) in [(0, 2), (1, 3), (2, 20)] {
        let mut next = numbers(at as u64);
        columns[at] = Column::Soft {
            n_values,
            weights: (0..100 * n_values).map(|_| next()).collect(),
        };
    }
    let table = Table::new(100, columns);
    compare_values(&model, &parameters, &table);
    compare_flows(&model, &parameters, &table);
}

#[test]
fn threads_share_a_model_and_its_buffers() {
    let options = ModelOptions::default();
    let model = Model::compile(checked(MIXTURE), &options).expect("compiles here");
    let parameters = model.start_parameters();
    let table = random_table(model.circuit(), 130, 0.2);
    let wanted = model.log_likelihoods(&parameters, &table, 1).logs;
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for rows in [0..130, 70..75] {
                    let found = model.log_likelihoods(&parameters, &table.slice(rows.clone()), 1);
                    assert_eq!(found.logs, wanted[rows]);
                }
            });
        }
    });
}

#[test]
fn ten_thousand_steps_have_the_likelihood_of_the_reference() {
    let text = CHAIN
        .replace("T = 150", "T = 10000")
        .replace("K = 5", "K = 3");
    let checked = checked(&text);
    for precision in [Precision::F32, Precision::F64] {
        let options = ModelOptions {
            precision,
            ..ModelOptions::default()
        };
        let model = Model::compile(checked.clone(), &options).expect("compiles here");
        let parameters = random_parameters(&model);
        let table = random_table(model.circuit(), 3, 0.05);
        let found = model.log_likelihoods(&parameters, &table, 1);
        let circuit = model.circuit();
        for (row, &log) in found.logs.iter().enumerate() {
            let cells = cells(&model, &parameters, &table, row);
            let units = log_values_of(
                circuit,
                parameters.values(),
                &cells,
                EvaluationPurpose::Value,
            );
            let wanted = units[circuit.root().index()];
            assert!(wanted < -10_000.0, "{wanted}");
            assert_close(log, wanted, bounds(&model).0, "log-likelihood");
        }
        assert_eq!(found.n_repaired, 0, "the kernels hold such rows");
    }
}

#[test]
fn segments_of_any_size_give_the_same_values() {
    let checked = checked(MIXTURE);
    for (engine, segment_terms) in [(Engine::Auto, 1), (Engine::Cranelift, 1), (Engine::Auto, 7)] {
        let options = ModelOptions {
            engine,
            segment_terms,
            ..ModelOptions::default()
        };
        let model = Model::compile(checked.clone(), &options).expect("compiles here");
        let parameters = model.start_parameters();
        let table = random_table(model.circuit(), 70, 0.1);
        compare_values(&model, &parameters, &table);
        compare_flows(&model, &parameters, &table);
    }
}

/// One of two components underflows for every row. Beside a root that is not small
/// that is nothing, beside a smaller one it is looked at; both give the reference's
/// numbers without its help.
#[test]
fn losses_beside_roots_of_any_size_do_not_matter() {
    for n in [30, 70, 85, 110] {
        let text = format!(
            "const N = {n};
             var x[0..N] : bool;
             node likely = prod i in 0..N {{ x[i] ~ bernoulli(?0.5) }};
             node hardly = prod i in 0..N {{ x[i] ~ bernoulli(?0.00001) }};
             root ?0.5: likely + ?0.5: hardly;"
        );
        let model = Model::compile(checked(&text), &ModelOptions::default()).expect("compiles");
        let parameters = model.start_parameters();
        let rows: Vec<Vec<f64>> = (0..200)
            .map(|row| (0..n).map(|at| f64::from(at % 70 != row % 71)).collect())
            .collect();
        let table = Table::from_assignments(model.circuit(), &rows);
        compare_values(&model, &parameters, &table);
        compare_flows(&model, &parameters, &table);
        let repaired = model.log_likelihoods(&parameters, &table, 1).n_repaired;
        assert_eq!(repaired, 0, "{n} variables");
    }
}
