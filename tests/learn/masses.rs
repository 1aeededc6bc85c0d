//! Learning circuits whose mass is not 1: what is made likely is the value over the mass.

use super::kit::*;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::reference::{assignments, log_likelihood};
use pelton_runtime::Model;
use pelton_runtime::data::Table;
use pelton_runtime::learn::{LearnError, LearnOptions, Method, Start};
use pelton_tests::dice::Dice;

const SKY: &str = "var sky : {clear, cloudy, storm};
    root ?: [sky = clear] + ?: [sky != clear];";

const TIME: &str = "var t : real; root ?: [0 <= t < 10] + ?: [10 <= t < 11];";

fn with(method: Method) -> LearnOptions {
    LearnOptions {
        method: Some(method),
        pseudocount: 0.0,
        fullbatch_epochs: 500,
        tolerance: 0.0,
        threads: 1,
        ..LearnOptions::default()
    }
}

/// The mean log-likelihood of rows, by enumeration of all that could have been.
fn mean_by_enumeration(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    rows: &[Vec<f64>],
) -> f64 {
    let all = assignments(circuit, 10_000).expect("few assignments");
    let mass: f64 = all.map(|x| log_likelihood(circuit, values, &x).exp()).sum();
    let logs = rows.iter().map(|row| log_likelihood(circuit, values, row));
    logs.sum::<f64>() / rows.len() as f64 - mass.ln()
}

#[test]
fn shares_of_rows_become_probabilities() {
    let model = model(SKY);
    let rows = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2].map(|sky| vec![f64::from(sky)]);
    let table = Table::from_assignments(model.circuit(), &rows);
    for method in [Method::Mle, Method::Em] {
        let learned = fit(&model, &table, &with(method)).unwrap();
        let weights: Vec<f64> = learned.values.iter().map(|value| value.linear()).collect();
        // 0.6 to one value, 0.4 to two: three quarters and a quarter of weight.
        assert_close(&weights, &[0.75, 0.25], 1e-9);
        let expected = 0.6 * 0.6_f64.ln() + 0.4 * 0.2_f64.ln();
        assert_close(&[learned.report.train.mean], &[expected], 1e-6);
    }
}

#[test]
fn lengths_of_intervals_count() {
    let model = model(TIME);
    let rows = [1.0, 5.0, 10.2, 10.7].map(|t| vec![t]);
    let table = Table::from_assignments(model.circuit(), &rows);
    for method in [Method::Mle, Method::Em] {
        let learned = fit(&model, &table, &with(method)).unwrap();
        let ratio = learned.values[0].linear() / learned.values[1].linear();
        assert_close(&[ratio], &[0.1], 1e-9);
        let expected = 0.5 * 0.05_f64.ln() + 0.5 * 0.5_f64.ln();
        assert_close(&[learned.report.train.mean], &[expected], 1e-6);
    }
}

#[test]
fn masses_far_beyond_the_range_of_numbers_are_learned() {
    // Weights differ by a factor of 1e400.
    let wide = (0..40)
        .map(|at| format!("[0 <= x[{at}] < 1e10]"))
        .collect::<Vec<_>>();
    let thin = (0..40)
        .map(|at| format!("[0 <= x[{at}] < 1]"))
        .collect::<Vec<_>>();
    let text = format!(
        "var x[0..40] : real; var c : bool; root ?: c * {} + ?: !c * {};",
        wide.join(" * "),
        thin.join(" * ")
    );
    let model = model(&text);
    let mut rows = vec![vec![0.5; 41]; 4];
    (0..4).for_each(|at| rows[at][40] = f64::from(u8::from(at == 0)));
    let table = Table::from_assignments(model.circuit(), &rows);
    for method in [Method::Mle, Method::Em] {
        let learned = fit(&model, &table, &with(method)).unwrap();
        let ratio = learned.values[0].log() - learned.values[1].log();
        let expected = (1.0_f64 / 3.0).ln() - 400.0 * 10.0_f64.ln();
        assert_close(&[ratio], &[expected], 1e-6);
    }
}

#[test]
fn weights_that_several_sums_share_are_learned_where_their_terms_are_alike() {
    let text = "var a, b : 0..5; param w : simplex(2) = ?;
        root (w[0]: [a in {0}] + w[1]: [a in {1, 2, 3, 4}])
           * (w[0]: [b in {4}] + w[1]: [b in {0, 1, 2, 3}]);";
    let model = model(text);
    let rows = [[0.0, 1.0], [0.0, 4.0], [2.0, 0.0]].map(Vec::from);
    let table = Table::from_assignments(model.circuit(), &rows);
    let learned = fit(&model, &table, &with(Method::Mle)).unwrap();
    // Half of six choices are the single value.
    let ratio = learned.values[0].linear() / learned.values[1].linear();
    assert_close(&[ratio], &[4.0], 1e-9);
}

#[test]
fn terms_that_are_zero_for_ever_leave_the_rest_to_others() {
    let text = "var a : 0..6; root ?: [a = 0] + 0: [a in {1, 2}] + ?: [a in {3, 4, 5}];";
    let model = model(text);
    let rows = [0.0, 3.0, 4.0, 4.0].map(|a| vec![a]);
    let table = Table::from_assignments(model.circuit(), &rows);
    for method in [Method::Mle, Method::Em] {
        let learned = fit(&model, &table, &with(method)).unwrap();
        let weights: Vec<f64> = learned.values.iter().map(|value| value.linear()).collect();
        // A quarter to one value, a quarter to each of three.
        assert_close(&weights, &[0.5, 0.0, 0.5], 1e-9);
    }
}

#[test]
fn what_has_no_closed_form_is_refused_with_the_repair() {
    let shared = "var a, b : 0..5; param w : simplex(2) = ?;
        root (w[0]: [a in {0}] + w[1]: [a in {1, 2, 3, 4}])
           * (w[0]: [b in {0, 1}] + w[1]: [b in {2, 3, 4}]);";
    let fixed = "var a : 0..5; var c : bool;
        node n = ?: [a = 0] + ?: [a != 0];
        root 0.5: c * n + 0.5: !c * a ~ uniform();";
    let beside = "var a : 0..5; root 0.25: [a = 0] + ?: [a in {1, 2}] + ?: [a in {3, 4}];";
    let of_a_leaf = "var a, b : 0..2; var c : bool; param w : simplex(2) = ?;
        root (w[0]: [a in {0}] + w[1]: [a in {0, 1}]) * b ~ categorical(w) * c ~ bernoulli(?);";
    for (text, said) in [
        (shared, "used elsewhere too"),
        (fixed, "has fixed weights, and the masses"),
        (beside, "fixed weights beside learned ones"),
        (of_a_leaf, "used elsewhere too"),
    ] {
        let model = model(text);
        let row = vec![0.0; model.circuit().variables().len()];
        let table = Table::from_assignments(model.circuit(), &[row]);
        let error = fit(&model, &table, &with(Method::Em)).unwrap_err();
        assert!(matches!(error, LearnError::Circuit(_)), "{error:?}");
        let message = error.to_string();
        assert!(
            message.contains(said) && message.contains("uniform(0, 10)"),
            "{message}"
        );
    }
}

/// A circuit over variables `x[from..to]` of four values each, with sums that decide one
/// variable by sets of different sizes, and every weight learned.
fn decisions(from: usize, to: usize, dice: &mut Dice) -> String {
    let pairs = [
        ("{0}", "{1, 2, 3}"),
        ("{0, 1}", "{2, 3}"),
        ("{1, 2, 3}", "{0}"),
        ("{2}", "{0, 3, 1}"),
    ];
    let (set, others) = dice.pick(&pairs);
    let decides = dice.chance(60);
    let mut rest = || match from + 1 == to {
        true => String::new(),
        false if decides => format!(" * ({})", decisions(from + 1, to, dice)),
        false => (from + 1..to)
            .map(|at| format!(" * x[{at}] ~ categorical(?)"))
            .collect(),
    };
    let (yes, no) = (rest(), rest());
    format!("?: [x[{from}] in {set}]{yes} + ?: [x[{from}] in {others}]{no}")
}

fn random_model(seed: u64) -> (Model, Vec<Vec<f64>>, Dice) {
    let mut dice = Dice::new(seed);
    let n = 1 + dice.below(3);
    let text = format!("var x[0..{n}] : 0..4; root {};", decisions(0, n, &mut dice));
    let rows = (0..30).map(|_| (0..n).map(|_| dice.below(4) as f64).collect());
    let rows = rows.collect();
    (model(&text), rows, dice)
}

/// Every learned vector a little way towards a random one.
fn moved(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    dice: &mut Dice,
) -> Vec<ParameterValue> {
    let mut moved = values.to_vec();
    for parameter in circuit.parameters() {
        let own = parameter.entries();
        let drawn: Vec<f64> = own.clone().map(|_| dice.fraction() + 1e-3).collect();
        let total: f64 = drawn.iter().sum();
        let step = 10.0_f64.powf(-4.0 * dice.fraction());
        for (entry, drawn) in own.zip(drawn) {
            let number = (1.0 - step) * values[entry].linear() + step * drawn / total;
            moved[entry] = ParameterValue::Linear(number);
        }
    }
    moved
}

#[test]
fn nothing_else_is_more_likely() {
    for seed in 0..60 {
        let (model, rows, mut dice) = random_model(seed);
        let circuit = model.circuit();
        let table = Table::from_assignments(circuit, &rows);
        let learned = fit(&model, &table, &with(Method::Mle)).unwrap();
        let best = mean_by_enumeration(circuit, &learned.values, &rows);
        let report = learned.report.train.mean;
        assert!((best - report).abs() < 1e-6, "seed {seed}: {best} {report}");
        for _ in 0..50 {
            let other = moved(circuit, &learned.values, &mut dice);
            let other = mean_by_enumeration(circuit, &other, &rows);
            assert!(other <= best + 1e-12, "seed {seed}: {other} {best}");
        }
    }
}

#[test]
fn epochs_never_make_rows_less_likely_and_arrive_at_the_closed_form() {
    for seed in 0..30 {
        let (model, rows, _) = random_model(seed);
        let table = Table::from_assignments(model.circuit(), &rows);
        let options = LearnOptions {
            start: Start::Random,
            seed,
            ..with(Method::Em)
        };
        let learned = fit(&model, &table, &options).unwrap();
        let lls: Vec<f64> = learned
            .report
            .epochs
            .iter()
            .map(|epoch| epoch.train_ll)
            .collect();
        let falls = lls.windows(2).any(|pair| pair[1] < pair[0] - 1e-6);
        assert!(!falls, "seed {seed}: {lls:?}");
        let closed = fit(&model, &table, &with(Method::Mle)).unwrap();
        let (em, mle) = (learned.report.train.mean, closed.report.train.mean);
        assert!((em - mle).abs() < 1e-5, "seed {seed}: {em} {mle}");
    }
}
