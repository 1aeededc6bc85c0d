//! Evidence far from all leaves: conditionals are quotients of what is common to none of
//! them, and keep their digits however unlikely the evidence is.

use crate::kit::circuit;
use pelton_compiler::check::DeterminismLimits;
use pelton_compiler::circuit::{Event, VarId};
use pelton_compiler::kernel::Precision;
use pelton_compiler::transform::condition;
use pelton_runtime::data::{Column, Table};
use pelton_runtime::query::{
    CircuitSampler, MapOptions, Posterior, RowSampling, answer, answer_rows, ask, ask_given,
    given_boxes, marginals, most_probable, sample_rows,
};
use pelton_runtime::query::{QueryEffort, entropy_given, summary};
use pelton_runtime::{FlowOptions, Model, ModelOptions};
use pelton_tests::engine_suite::engines;

const N_ROWS: usize = 70;

/// How far out: the squares of the last ones are beyond all digits.
const FAR: [f64; 9] = [1e3, -1e4, 1e5, 1e6, 1e7, -1e9, 1e9, 1e12, 1e100];

const PLAIN: &str = "var b : bool; var t : real;
    root 0.9: b * t ~ normal(0, 1) + 0.1: !b * t ~ normal(0, 1);";

/// A kind that is ruled out expects values far out.
const NESTED: &str = "var b : bool; var t : real; var c : bool;
    root 0.5: c * (0.9: b * t ~ normal(0, 1) + 0.1: !b * t ~ normal(0, 1))
       + 0.5: !c * b ~ bernoulli(0.5) * t ~ normal(1e9, 1e9);";

fn models(text: &str) -> impl Iterator<Item = (Model, f64)> {
    let all = engines()
        .into_iter()
        .flat_map(|engine| [(engine, Precision::F32), (engine, Precision::F64)].into_iter());
    let checked = circuit(text);
    all.map(move |(engine, precision)| {
        let options = ModelOptions {
            engine,
            precision,
            ..ModelOptions::default()
        };
        let tolerance = match precision {
            Precision::F32 => 2e-6,
            Precision::F64 => 2e-9,
        };
        let model = Model::compile(checked.clone(), &options).unwrap();
        (model, tolerance)
    })
}

/// Rows with `t` at `far`, and `c` true where there is one.
fn rows(model: &Model, far: f64) -> Table {
    let mut columns = vec![Column::Missing, Column::Reals(vec![far; N_ROWS])];
    if model.circuit().variables().len() > 2 {
        columns.push(Column::Small(vec![1; N_ROWS]));
    }
    Table::new(N_ROWS, columns)
}

fn nothing() -> Event {
    Event::And(Vec::new())
}

/// `P(b)` in the first row by questions about rows, and that its complement is the rest.
fn asked_of_rows(model: &Model, table: &Table) -> f64 {
    let parameters = model.start_parameters();
    let queries = ["P(b)", "P(!b)"].map(|text| ask(model.circuit(), text).unwrap());
    let answers = answer_rows(model, &parameters, &queries, table, 1);
    let [p, q] = [0, 1].map(|at| answers[at][3].log.unwrap().exp());
    assert!((p + q - 1.0).abs() < 1e-6, "{p} and {q}");
    p
}

fn marginal_of_rows(model: &Model, table: &Table) -> f64 {
    let parameters = model.start_parameters();
    let found = marginals(model, &parameters, &nothing(), table, 1).unwrap();
    match found.of(3, VarId::new(0)) {
        Posterior::Probabilities(&[_, p]) => p,
        other => panic!("{other:?}"),
    }
}

#[test]
fn rows_far_out_keep_their_posteriors() {
    for text in [PLAIN, NESTED] {
        for (model, tolerance) in models(text) {
            for far in FAR
                .into_iter()
                .filter(|far| text == PLAIN || far.abs() <= 1e9)
            {
                let table = rows(&model, far);
                let said = format!("{far:e} {:?} {text}", model.options());
                let p = asked_of_rows(&model, &table);
                assert!((p - 0.9).abs() < tolerance, "{said}: {p}");
                let p = marginal_of_rows(&model, &table);
                assert!((p - 0.9).abs() < tolerance, "{said}: {p}");
                let parameters = model.start_parameters();
                let options = MapOptions::default();
                let best = most_probable(&model, &parameters, &nothing(), &table, &options);
                let best = best.unwrap()[3].clone().unwrap();
                assert_eq!(best.values[0], 1.0, "{said}");
                assert!(
                    (best.log - 0.9_f64.ln()).abs() < tolerance,
                    "{said}: {best:?}"
                );
            }
        }
    }
}

#[test]
fn samples_of_rows_far_out_are_drawn_in_proportion() {
    for (model, _) in models(PLAIN) {
        let parameters = model.start_parameters();
        let table = rows(&model, 1e9);
        let sampling = RowSampling {
            n_each: 100,
            seed: 1,
            first_row: 0,
            threads: 1,
        };
        let drawn = sample_rows(&model, &parameters, &nothing(), &table, &sampling).unwrap();
        let all = drawn.iter().flatten().flatten();
        let n_true = all.filter(|values| values[0] == 1.0).count() as f64;
        let n = (N_ROWS * sampling.n_each) as f64;
        assert!((n_true / n - 0.9).abs() < 0.02, "{n_true} of {n}");
        let given = ask_given(model.circuit(), "t = 1e9").unwrap();
        let sampler = CircuitSampler::new(&model, &parameters, &given).unwrap();
        let drawn = sampler.draw(0..10_000, 1, 1);
        let Column::Small(cells) = &drawn.columns()[0] else {
            panic!("truth values are small");
        };
        let n_true = cells.iter().filter(|&&cell| cell == 1).count();
        assert!((8_850..9_150).contains(&n_true), "{n_true}");
    }
}

#[test]
fn questions_given_what_is_far_out() {
    for text in [PLAIN, NESTED] {
        let checked = circuit(text);
        let values = checked.circuit().start_values();
        for far in ["1e3", "-1e6", "1e9"] {
            let more = if text == NESTED { ", c" } else { "" };
            let query = format!("P(b | t = {far}{more})");
            let query = ask(checked.circuit(), &query).unwrap();
            let log = answer(checked.circuit(), &values, &query).log.unwrap();
            assert!((log.exp() - 0.9).abs() < 1e-12, "{far}: {log} {text}");
            let (model, tolerance) = models(text).last().unwrap();
            let table = Table::from_assignments(model.circuit(), &[vec![f64::NAN; 3]]);
            let answers = answer_rows(&model, &model.start_parameters(), &[query], &table, 1);
            let log = answers[0][0].log.unwrap();
            assert!((log.exp() - 0.9).abs() < tolerance, "{far}: {log} {text}");
        }
    }
}

#[test]
fn what_is_left_given_what_is_far_out() {
    let checked = circuit(PLAIN);
    let values = checked.circuit().start_values();
    for far in ["t = 1e9", "t = -1e12", "t = 1e9 || t = 1e9 && b"] {
        let event = ask_given(checked.circuit(), far).unwrap();
        let parts = given_boxes(checked.circuit(), &event).unwrap();
        let found = summary(checked.circuit(), &values, &parts, false).unwrap();
        assert!(
            (found.variables[0].mean - 0.9).abs() < 1e-12,
            "{far}: {found:?}"
        );
        let effort = QueryEffort {
            limits: DeterminismLimits::default(),
            max_size: 1_000_000,
            n_threads: 1,
        };
        let entropy = entropy_given(&checked, &values, &event, &effort)
            .unwrap()
            .nats;
        let expected = -(0.9 * 0.9_f64.ln() + 0.1 * 0.1_f64.ln());
        assert!((entropy - expected).abs() < 1e-12, "{far}: {entropy}");
        let boxes = given_boxes(checked.circuit(), &event).unwrap();
        let left = condition(&checked, &values, &boxes, false, 1_000_000).unwrap();
        let rest = left.circuit.checked.circuit();
        let query = ask(rest, "P(b)").unwrap();
        let log = answer(rest, &rest.start_values(), &query).log.unwrap();
        assert!((log.exp() - 0.9).abs() < 1e-12, "{far}: {log}");
        assert!(left.log_evidence < -1e17);
    }
}

#[test]
fn regions_far_out_are_compared() {
    // The density at -1e9 is that at 1e9, and both are mixed by their own posteriors.
    let text = "var b : bool; var t : real;
        root 0.9: b * t ~ normal(0, 1) in [0, inf) + 0.1: !b * t ~ normal(0, 1);";
    let checked = circuit(text);
    let values = checked.circuit().start_values();
    let query = ask(checked.circuit(), "P(b | t = 1e9 || t = -1e9)").unwrap();
    let p = answer(checked.circuit(), &values, &query)
        .log
        .unwrap()
        .exp();
    assert!((p - 0.9 / (0.9 + 0.1)).abs() < 1e-9, "{p}");
}

#[test]
fn flows_of_rows_far_out_are_their_responsibilities() {
    for (model, tolerance) in models(PLAIN) {
        let table = rows(&model, 1e9);
        let options = FlowOptions::default();
        let totals = model.flows(&model.start_parameters(), &table, &options);
        let n = N_ROWS as f64;
        let has = |share: f64| {
            let mut flows = totals.flows.entries.iter();
            flows.any(|flow| (flow / n - share).abs() < tolerance)
        };
        assert!(has(0.9) && has(0.1), "{:?}", totals.flows.entries);
    }
}

/// Pairs of leaves that are told apart far out, and the logarithm of the quotient of their
/// densities there, by mpmath with 80 digits.
const PAIRS: [(&str, &str, &str, f64, f64); 14] = [
    ("real", "normal(0, 1)", "normal(1e-9, 1)", 1e9, -1.0),
    ("real", "normal(0, 1)", "normal(1e-12, 1)", 1e12, -1.0),
    (
        "real",
        "normal(0, 1)",
        "normal(0, 1.000000000001)",
        1e6,
        -1.0000889005798406,
    ),
    (
        "real",
        "normal(0.3, 0.7)",
        "normal(0.3001, 0.7)",
        -1e3,
        0.2041428673469163,
    ),
    (
        "real",
        "lognormal(0, 1e-6)",
        "lognormal(1e-15, 1e-6)",
        1e300,
        -0.6907755278982138,
    ),
    (
        "real",
        "exponential(1)",
        "exponential(1.000000001)",
        1e9,
        1.000000081740371,
    ),
    (
        "real",
        "exponential(3)",
        "exponential(3.000000000001)",
        1e12,
        1.0000889005820077,
    ),
    (
        "real",
        "gamma(2, 1)",
        "gamma(2, 1.000000001)",
        1e9,
        1.0000000807403708,
    ),
    (
        "real",
        "gamma(2.5, 3)",
        "gamma(2.6, 3)",
        1e9,
        -2.1094588194853934,
    ),
    (
        "nat",
        "poisson(7)",
        "poisson(7.00000001)",
        1e9,
        -1.4285714088689192,
    ),
    (
        "nat",
        "geometric(0.5)",
        "geometric(0.500000001)",
        1e9,
        1.999999943436137,
    ),
    (
        "nat",
        "negative_binomial(3, 0.5)",
        "negative_binomial(3, 0.500000001)",
        1e9,
        1.9999999394361372,
    ),
    (
        "nat",
        "negative_binomial(3, 0.75)",
        "negative_binomial(2, 0.75)",
        1e9,
        19.742436585934684,
    ),
    (
        "nat",
        "binomial(16000000, 0.75)",
        "binomial(16000000, 0.75000001)",
        1e3,
        0.639946682681534,
    ),
];

#[test]
fn leaves_far_out_are_told_apart_by_their_differences() {
    for (domain, one, other, x, log_odds) in PAIRS {
        let text = format!(
            "var b : bool; var t : {domain};
             root 0.5: b * t ~ {one} + 0.5: !b * t ~ {other};"
        );
        let expected = 1.0 / (1.0 + (-log_odds).exp());
        for (model, tolerance) in models(&text) {
            let table = Table::from_assignments(model.circuit(), &vec![vec![f64::NAN, x]; N_ROWS]);
            let p = asked_of_rows(&model, &table);
            let said = format!("{one} {other} {:?}", model.options());
            assert!((p - expected).abs() < tolerance, "{said}: {p} {expected}");
            let p = marginal_of_rows(&model, &table);
            assert!((p - expected).abs() < tolerance, "{said}: {p} {expected}");
        }
    }
}
