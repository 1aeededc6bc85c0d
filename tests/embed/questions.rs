//! Questions against enumeration, by hand for two truth values and by sums for more.

use super::{RAIN, WEATHER, assert_close};
use pelton::{Batch, Circuit, Domain, ErrorKind, Options, Posterior, Precision};
use serde_json::json;

/// The probability of every assignment of a circuit over truth values.
fn enumerated(circuit: &Circuit) -> Vec<(Vec<f64>, f64)> {
    let n = circuit.variables().len();
    assert!(
        circuit
            .variables()
            .iter()
            .all(|own| own.domain == Domain::Bool)
    );
    let row = |number: usize| (0..n).map(move |at| (number >> at & 1) as f64);
    let rows: Vec<Vec<f64>> = (0..1 << n).map(|number| row(number).collect()).collect();
    let cells = rows.concat();
    let logs = circuit
        .log_likelihood(&Batch::new(&cells, rows.len(), n))
        .expect("it is right");
    rows.into_iter()
        .zip(logs.into_iter().map(f64::exp))
        .collect()
}

const FIVE: &str = "var x[0..5] : bool;
    node leaf[i in 0..5, k in 0..3] = x[i] ~ bernoulli(0.1 + 0.15 * i + 0.1 * k);
    node part[k in 0..3] = prod i in 0..5 { leaf[i, k] };
    root 0.2: part[0] + 0.3: part[1] + 0.5: part[2];";

#[test]
fn marginals_map_entropy_and_moments_are_those_of_enumeration() {
    let circuit = Options::new()
        .precision(Precision::F64)
        .compile(FIVE)
        .unwrap();
    let all = enumerated(&circuit);
    let nan = f64::NAN;
    let evidence = [nan, 1.0, nan, 0.0, nan];
    let agrees = |row: &[f64]| row[1] == 1.0 && row[3] == 0.0;
    let total: f64 = all
        .iter()
        .filter(|(row, _)| agrees(row))
        .map(|(_, p)| p)
        .sum();
    let batch = Batch::new(&evidence, 1, 5);

    let marginals = circuit.marginals(&batch, "").unwrap();
    assert_close(marginals.log_evidence()[0], total.ln(), 1e-10);
    for variable in 0..5 {
        let holds = all
            .iter()
            .filter(|(row, _)| agrees(row) && row[variable] == 1.0);
        let expected = holds.map(|(_, p)| p).sum::<f64>() / total;
        let Posterior::Probabilities(found) = marginals.of(0, variable) else {
            panic!("truth values have probabilities");
        };
        assert_close(found[1], expected, 1e-10);
    }
    let best = circuit.map(&batch, "").unwrap();
    let agreeing = all.iter().filter(|(row, _)| agrees(row));
    let expected = agreeing.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert_eq!(best.row(0), expected.0);
    assert!(best.is_exact[0]);
    assert_close(best.logs[0], (expected.1 / total).ln(), 1e-10);

    let nats: f64 = all.iter().map(|(_, p)| -p * p.ln()).sum();
    assert_close(circuit.entropy().unwrap(), nats, 1e-10);
    let estimate = circuit.estimate_entropy(20_000, 1).unwrap();
    assert_close(estimate.nats, nats, 6.0 * estimate.standard_error);

    let found = circuit.covariances("x[1], !x[3]").unwrap();
    let mean = |of: &dyn Fn(&[f64]) -> f64| -> f64 {
        let agreeing = all.iter().filter(|(row, _)| agrees(row));
        agreeing.map(|(row, p)| p * of(row)).sum::<f64>() / total
    };
    assert_eq!(found.variables, [0, 1, 2, 3, 4]);
    let covariances = found.covariances.unwrap();
    for i in 0..5 {
        assert_close(found.means[i], mean(&|row| row[i]), 1e-10);
        for j in 0..5 {
            let expected = mean(&|row| row[i] * row[j]) - mean(&|row| row[i]) * mean(&|row| row[j]);
            assert_close(covariances[i * 5 + j], expected, 1e-10);
        }
    }
}

#[test]
fn events_and_rows_go_together() {
    let circuit = Options::new()
        .precision(Precision::F64)
        .compile(RAIN)
        .unwrap();
    let wet = Batch::new(&[1.0, 0.0], 2, 1).names(&["wet"]);
    let answers = circuit.query_rows("P(rain)", &wet).unwrap();
    assert_close(answers[0].value(), 0.27 / 0.41, 1e-12);
    assert_close(answers[1].value(), 0.03 / 0.59, 1e-12);
    let given = circuit.query_rows("P(rain | wet)", &wet).unwrap();
    assert_close(given[0].value(), 0.27 / 0.41, 1e-12);
    assert!(given[1].log.is_nan(), "the row is not wet");
    let marginals = circuit.marginals(&wet, "wet").unwrap();
    assert_eq!(marginals.log_evidence()[1], f64::NEG_INFINITY);
    let best = circuit.map(&wet, "wet").unwrap();
    assert!(best.logs[1].is_nan() && best.row(1).iter().all(|x| x.is_nan()));
}

#[test]
fn densities_say_that_they_are_some() {
    let circuit = Circuit::compile(WEATHER).unwrap();
    assert!(circuit.query("P(temp = 20)").unwrap().is_density);
    assert!(
        !circuit
            .query("P(temp > 20 | sky = storm)")
            .unwrap()
            .is_density
    );
    let marginals = circuit
        .marginals(&Batch::nothing(1), "sky = clear")
        .unwrap();
    let Posterior::Spread { mean, sd } = marginals.of(0, circuit.variable("temp").unwrap()) else {
        panic!("reals have mean and deviation");
    };
    assert!((10.0..25.0).contains(&mean) && sd > 0.0);
}

#[test]
fn samples_follow_the_seed_and_the_evidence() {
    let circuit = Circuit::compile(RAIN).unwrap();
    let many = circuit.sample(70_000, 4, "").unwrap();
    let few = circuit.sample(10, 4, "").unwrap();
    assert_eq!(many.values[..20], few.values[..]);
    assert_ne!(circuit.sample(10, 5, "").unwrap(), few);
    let share = many.values.chunks(2).filter(|row| row[0] == 1.0).count() as f64 / 70_000.0;
    assert_close(share, 0.3, 0.01);
    let wet = Batch::new(&[1.0, 0.0], 2, 1).names(&["wet"]);
    let rows = circuit.sample_rows(&wet, 20_000, 1, "").unwrap();
    let rain = |rows: &[f64]| rows.chunks(2).filter(|row| row[0] == 1.0).count() as f64 / 20_000.0;
    let (first, second) = rows.values.split_at(40_000);
    assert!(first.chunks(2).all(|row| row[1] == 1.0));
    assert_close(rain(first), 0.27 / 0.41, 0.02);
    assert_close(rain(second), 0.03 / 0.59, 0.02);
}

#[test]
fn questions_are_asked_by_name() {
    let circuit = Circuit::compile(RAIN).unwrap();
    let ask = |question: &str, arguments| circuit.ask(question, arguments, Some(&circuit));
    let alone = |question: &str, arguments| circuit.ask(question, arguments, None);
    let entropy = alone("entropy", json!({})).unwrap();
    assert_close(
        entropy["entropy"].as_f64().unwrap(),
        circuit.entropy().unwrap(),
        1e-12,
    );
    assert_eq!(ask("kl", json!({"base": "2"})).unwrap()["kl"], 0.0);
    let moments = alone("moments", json!({"given": "wet"})).unwrap();
    let mean = moments["moments"]["rain"]["mean"].as_f64().unwrap();
    assert_close(mean, circuit.query("P(rain | wet)").unwrap().value(), 1e-12);
    assert_eq!(
        circuit.ask_json("count", "", None).unwrap()[..12],
        *"{\"models\":\"4"
    );
    for (question, arguments, why) in [
        ("entrop", json!({}), "no question `entrop`"),
        ("kl", json!({}), "about 2 circuits"),
        ("mi", json!({"x": "rain"}), "`y` is missing"),
        (
            "mi",
            json!({"x": "rain", "y": "snow"}),
            "no variable `snow`",
        ),
        ("count", json!({"givn": "wet"}), "did you mean `given`?"),
        (
            "entropy",
            json!({"joint": true, "samples": 10}),
            "do not go together",
        ),
        ("entropy", json!({"samples": 1}), "a whole number from 2 up"),
        ("count", json!([1]), "not a list"),
    ] {
        let error = alone(question, arguments).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        assert!(error.message().contains(why), "{error}");
    }
    let event = alone("count", json!({"given": "snow"})).unwrap_err();
    assert!(!event.diagnostics().is_empty(), "{event}");
}
