//! Training: callbacks, stops, and what is kept.

use pelton::{
    Batch, Circuit, ErrorKind, FitOptions, HcltOptions, LearnerChoice, Options, Start, StopReason,
    Training,
};
use std::ops::ControlFlow;

const MIXTURE: &str = "var a, b : bool;
    node kind[k in 0..2] = a ~ bernoulli(?) * b ~ bernoulli(?);
    root sum k in 0..2 { ?: kind[k] };";

fn rows() -> Vec<f64> {
    let text = "var a, b : bool;
        root 0.6: a ~ bernoulli(0.9) * b ~ bernoulli(0.8) + 0.4: a ~ bernoulli(0.2) * b ~ bernoulli(0.1);";
    Circuit::compile(text)
        .expect("it is right")
        .sample(400, 1, "")
        .expect("it is right")
        .values
}

fn go_on(_: &pelton::Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn likelihoods_rise_and_every_epoch_is_told() {
    let rows = rows();
    let batch = Batch::new(&rows, 400, 2);
    let mut circuit = Circuit::compile(MIXTURE).unwrap();
    let options = FitOptions {
        pseudocount: 0.0,
        ..FitOptions::default()
    };
    let mut told = Vec::new();
    let report = circuit
        .fit(Training::new(&batch).valid(&batch), &options, |progress| {
            told.extend(progress.ended.map(|epoch| epoch.train_ll));
            assert!(progress.epoch <= progress.n_epochs && progress.rows_done <= progress.n_rows);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(told.len(), report.epochs.len());
    assert!(
        told.windows(2).all(|pair| pair[1] >= pair[0] - 1e-6),
        "{told:?}"
    );
    let logs = circuit.log_likelihood(&batch).unwrap();
    let mean = logs.iter().sum::<f64>() / 400.0;
    super::assert_close(mean, report.train.mean, 1e-6);
}

#[test]
fn a_stop_keeps_what_was_learned_and_no_start() {
    let rows = rows();
    let batch = Batch::new(&rows, 400, 2);
    let mut circuit = Circuit::compile(MIXTURE).unwrap();
    let before = circuit.parameters();
    let at_once = |_: &pelton::Progress<'_>| ControlFlow::Break(());
    let report = circuit
        .fit(&batch, &FitOptions::default(), at_once)
        .unwrap();
    if report.epochs.is_empty() {
        assert_eq!(circuit.parameters(), before, "a random start is no result");
    }
    let third = |progress: &pelton::Progress<'_>| match progress.ended {
        Some(epoch) if epoch.epoch == 3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let report = circuit.fit(&batch, &FitOptions::default(), third).unwrap();
    assert_eq!(
        (report.epochs.len(), report.stop_reason),
        (3, StopReason::Cancelled)
    );
    assert_ne!(circuit.parameters(), before);
}

#[test]
fn a_run_goes_on_from_where_the_last_one_ended() {
    let rows = rows();
    let batch = Batch::new(&rows, 400, 2);
    let options = |n, start| FitOptions {
        fullbatch_epochs: n,
        tolerance: 0.0,
        start,
        ..FitOptions::default()
    };
    let mut whole = Circuit::compile(MIXTURE).unwrap();
    whole
        .fit(&batch, &options(20, Start::Random), go_on)
        .unwrap();
    let mut parts = Circuit::compile(MIXTURE).unwrap();
    parts
        .fit(&batch, &options(10, Start::Random), go_on)
        .unwrap();
    parts.fit(&batch, &options(10, Start::Keep), go_on).unwrap();
    let of = |circuit: &Circuit| -> f64 { circuit.log_likelihood(&batch).unwrap().iter().sum() };
    super::assert_close(of(&parts), of(&whole), 1e-6 * of(&whole).abs());
}

#[test]
fn what_is_learned_aside_is_taken_over_by_its_own_circuit_only() {
    let rows = rows();
    let batch = Batch::new(&rows, 400, 2);
    let mut circuit = Circuit::compile(MIXTURE).unwrap();
    let untouched = circuit.clone();
    let fitted = circuit
        .learn(&batch, &FitOptions::default(), go_on)
        .unwrap();
    assert_eq!(circuit.parameters(), untouched.parameters());
    circuit.adopt(fitted).unwrap();
    assert_ne!(circuit.parameters(), untouched.parameters());
    let fitted = untouched
        .learn(&batch, &FitOptions::default(), go_on)
        .unwrap();
    let error = Circuit::compile(MIXTURE)
        .unwrap()
        .adopt(fitted)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[test]
fn weights_of_rows_count() {
    let text = "var a : bool; root a ~ bernoulli(?);";
    let mut circuit = Circuit::compile(text).unwrap();
    let batch = Batch::new(&[1.0, 0.0], 2, 1).weights(&[3.0, 1.0]);
    let options = FitOptions {
        pseudocount: 0.0,
        ..FitOptions::default()
    };
    circuit.fit(&batch, &options, go_on).unwrap();
    let name = &circuit.parameters()[0].name;
    super::assert_close(circuit.parameter(name).unwrap().values[0], 0.75, 1e-9);
}

#[test]
fn what_cannot_be_learned_is_said() {
    let batch = Batch::new(&[1.0, 1.0], 1, 2);
    let mut fixed = Circuit::compile(super::RAIN).unwrap();
    let error = fixed
        .fit(&batch, &FitOptions::default(), go_on)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Circuit, "{error}");
    let mut circuit = Circuit::compile(MIXTURE).unwrap();
    let none = Batch::nothing(0);
    assert!(circuit.fit(&none, &FitOptions::default(), go_on).is_err());
    let options = FitOptions {
        softness: 2.0,
        ..FitOptions::default()
    };
    let error = circuit.fit(&batch, &options, go_on).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
}

#[test]
fn trees_are_learned_from_numbers_and_texts() {
    let source = Circuit::compile("var a, b, c : bool;
        root 0.5: a * b ~ bernoulli(0.9) * c ~ bernoulli(0.8) + 0.5: !a * b ~ bernoulli(0.1) * c ~ bernoulli(0.3);").unwrap();
    let rows = source.sample(500, 5, "").unwrap().values;
    let batch = Batch::new(&rows, 500, 3).names(&["a", "b", "c"]);
    let hclt = HcltOptions {
        n_trees: 2,
        n_states: 3,
        ..HcltOptions::default()
    };
    let (circuit, report) = Circuit::learn_hclt(&batch, &hclt, &Options::new(), go_on).unwrap();
    let expected = source.log_likelihood(&batch).unwrap().iter().sum::<f64>() / 500.0;
    assert!(
        report.train.mean > expected - 0.05,
        "{} {expected}",
        report.train.mean
    );
    let names: Vec<&str> = circuit
        .variables()
        .iter()
        .map(|own| own.name.as_str())
        .collect();
    assert_eq!(names, ["a", "b", "c"]);

    let texts = ["red", "1.5", "blue", "2.25", "red", "1.75", "", "3.5"];
    let batch = Batch::texts(&texts, 4, 2).names(&["colour of it", "size"]);
    let hclt = HcltOptions {
        n_trees: 1,
        n_states: 2,
        ..HcltOptions::default()
    };
    let (circuit, _) = Circuit::learn_hclt(&batch, &hclt, &Options::new(), go_on).unwrap();
    assert!(
        circuit
            .log_likelihood(&batch)
            .unwrap()
            .iter()
            .all(|log| log.is_finite())
    );
}

#[test]
fn learners_are_taken_by_name() {
    let rows: Vec<f64> = (0..400).map(|at| f64::from(at * 7 % 11 % 2)).collect();
    let batch = Batch::new(&rows, 100, 4);
    let learned = |name: &str, options: &[(&str, &str)]| {
        let mut learner = LearnerChoice::new(name)?;
        for (option, value) in options {
            learner = learner.set(option, value)?;
        }
        let (fit, options) = (FitOptions::default(), Options::new());
        Circuit::learn_structure(&batch, &learner, &fit, &options, go_on)
    };
    let (tree, report) = learned("clt", &[]).unwrap();
    assert_eq!(report.method, pelton::Method::Mle);
    let (ensemble, _) = learned("clt", &[("trees", "2"), ("tree-choice", "bootstrap")]).unwrap();
    assert!(ensemble.size().units > tree.size().units);
    let logs = ensemble.log_likelihood(&batch).unwrap();
    assert!(logs.iter().all(|log| log.is_finite()));
    for (name, options) in [
        ("oak", &[][..]),
        ("clt", &[("hidden", "2")][..]),
        ("clt", &[("trees", "0")][..]),
        ("hclt", &[("budget", "1")][..]),
    ] {
        let refused = learned(name, options).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Usage, "{name} {options:?}");
    }
}
