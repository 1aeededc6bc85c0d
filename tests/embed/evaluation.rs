//! Likelihoods against the reference evaluation, for every way to hand in rows.

use super::{RAIN, WEATHER, assert_close};
use pelton::{Batch, Circuit, Engine, Options, Precision};
use pelton_compiler::circuit::CircuitGraph as Graph;
use pelton_compiler::emit::{EmittedFormat, SvgOptions, emit};
use pelton_compiler::reference::{assignments, log_likelihood};
use pelton_tests::workload::workload;

/// The circuit language's text of a graph with these values.
fn text_of(circuit: &Graph) -> Option<String> {
    let mut text = Vec::new();
    emit(
        circuit,
        EmittedFormat::Circuit,
        &SvgOptions::default(),
        &mut text,
    )
    .ok()?;
    String::from_utf8(text).ok()
}

#[test]
fn rows_are_worth_what_the_reference_says() {
    let mut n_circuits = 0;
    for seed in 0..60 {
        let own = workload(seed);
        let graph = own.circuit.with_values(&own.values);
        let Some(rows) = assignments(&graph, 500) else {
            continue;
        };
        let Some(text) = text_of(&graph) else {
            continue;
        };
        let rows: Vec<Vec<f64>> = rows.collect();
        for precision in [Precision::F32, Precision::F64] {
            let options = Options::new().precision(precision).threads(2);
            let Ok(circuit) = options.compile(&text) else {
                continue;
            };
            n_circuits += 1;
            let cells: Vec<f64> = rows.concat();
            let batch = Batch::new(&cells, rows.len(), circuit.variables().len());
            let logs = circuit.log_likelihood(&batch).unwrap();
            let nothing = vec![f64::NAN; circuit.variables().len()];
            let log_mass = if graph.is_counting() {
                0.0
            } else {
                log_likelihood(&graph, &graph.start_values(), &nothing)
            };
            for (row, log) in rows.iter().zip(logs) {
                let expected = log_likelihood(&graph, &graph.start_values(), row) - log_mass;
                assert_close(log, expected, 1e-4 * expected.abs().max(1.0));
            }
        }
    }
    assert!(n_circuits > 20, "{n_circuits} circuits were looked at");
}

#[test]
fn all_kinds_of_cells_are_one() {
    let circuit = Options::new()
        .precision(Precision::F64)
        .compile(RAIN)
        .unwrap();
    let expected = [0.27_f64.ln(), 0.14_f64.ln(), 0.3_f64.ln()];
    let check = |batch: Batch<'_>| {
        let logs = circuit.log_likelihood(&batch).unwrap();
        for (log, expected) in logs.into_iter().zip(expected) {
            assert_close(log, expected, 1e-12);
        }
    };
    let nan = f64::NAN;
    check(Batch::new(&[1.0, 1.0, 0.0, 1.0, 1.0, nan], 3, 2));
    check(Batch::new(&[1.0_f32, 1.0, 0.0, 1.0, 1.0, f32::NAN], 3, 2));
    let mask = [0, 0, 0, 0, 0, 1];
    check(Batch::new(&[1_i64, 1, 0, 1, 1, 99], 3, 2).mask(&mask));
    check(Batch::new(&[1_i32, 1, 0, 1, 1, -7], 3, 2).mask(&mask));
    check(Batch::new(&[1_u8, 1, 0, 1, 1, 0], 3, 2).mask(&mask));
    // By columns, with a gap, in another order, and with a name for each.
    check(Batch::new(&[1.0, 0.0, 1.0, 1.0, 1.0, nan], 3, 2).strides(1, 3));
    let gaps = [1.0, 1.0, 9.0, 0.0, 1.0, 9.0, 1.0, nan];
    check(Batch::new(&gaps, 3, 2).strides(3, 1));
    let turned = [1.0, 1.0, 1.0, 0.0, nan, 1.0];
    check(Batch::new(&turned, 3, 2).names(&["wet", "rain"]));
}

#[test]
fn variables_without_a_column_are_missing() {
    let circuit = Circuit::compile(RAIN).unwrap();
    let wet = Batch::new(&[1.0], 1, 1).names(&["wet"]);
    assert_close(
        circuit.log_likelihood(&wet).unwrap()[0],
        0.41_f64.ln(),
        1e-6,
    );
    let nothing = circuit.log_likelihood(&Batch::nothing(3)).unwrap();
    assert_eq!(nothing.len(), 3);
    nothing.iter().for_each(|&log| assert_close(log, 0.0, 1e-6));
    assert!(
        circuit
            .log_likelihood(&Batch::nothing(0))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn engines_and_threads_agree() {
    let reference = Options::new()
        .engine(Engine::Reference)
        .compile(WEATHER)
        .unwrap();
    let samples = reference.sample(5_000, 3, "").unwrap();
    let batch = Batch::new(&samples.values, 5_000, samples.n_variables);
    let expected = reference.log_likelihood(&batch).unwrap();
    let single = Options::new().threads(1).compile(WEATHER).unwrap();
    let logs = single.log_likelihood(&batch).unwrap();
    for (&log, &expected) in logs.iter().zip(&expected) {
        assert_close(log, expected, 1e-4);
    }
    let double = Options::new().threads(2).compile(WEATHER).unwrap();
    assert_eq!(double.log_likelihood(&batch).unwrap(), logs);
    // The same rows a few at a time, into one buffer.
    let mut buffer = [0.0; 7];
    let n = samples.n_variables;
    for (cells, logs) in samples.values.chunks(7 * n).zip(logs.chunks(7)).take(50) {
        let few = Batch::new(cells, logs.len(), n);
        single
            .log_likelihood_into(&few, &mut buffer[..logs.len()])
            .unwrap();
        assert_eq!(&buffer[..logs.len()], logs);
    }
}

#[test]
fn conditionals_are_quotients() {
    let circuit = Options::new()
        .precision(Precision::F64)
        .compile(RAIN)
        .unwrap();
    let nan = f64::NAN;
    let rows = [1.0, nan, 1.0, nan, nan, 1.0, nan, nan];
    let evidence = [nan, 1.0, 0.0, nan, 1.0, 1.0, 1.0, nan];
    let of = |cells| Batch::new(cells, 4, 2);
    let logs = circuit.log_conditional(&of(&rows), &of(&evidence)).unwrap();
    assert_close(logs[0], (0.27_f64 / 0.41).ln(), 1e-12);
    assert_eq!(logs[1], f64::NEG_INFINITY);
    assert_close(logs[2], 0.0, 1e-12);
    assert_close(logs[3], 0.0, 1e-12);
    let certain = Circuit::compile("var a, b : bool; root a * b ~ bernoulli(0.5);").unwrap();
    let logs = certain.log_conditional(
        &Batch::new(&[nan, 1.0], 1, 2),
        &Batch::new(&[0.0, nan], 1, 2),
    );
    assert!(logs.unwrap()[0].is_nan(), "impossible evidence");
}

#[test]
fn conditionals_given_an_event_are_those_given_its_rows() {
    let circuit = Options::new()
        .precision(Precision::F64)
        .compile(RAIN)
        .unwrap();
    let nan = f64::NAN;
    let rows = [1.0, nan, 0.0, nan, nan, 1.0, nan, nan, 1.0, 0.0];
    let batch = Batch::new(&rows, 5, 2);
    let evidence = [nan, 1.0].repeat(5);
    let by_rows = circuit.log_conditional(&batch, &Batch::new(&evidence, 5, 2));
    let by_event = circuit.log_conditional_given(&batch, "wet").unwrap();
    for (event, row) in by_event.iter().zip(by_rows.unwrap()) {
        assert!(
            *event == row || (event - row).abs() < 1e-12,
            "{event} {row}"
        );
    }
    let either = circuit
        .log_conditional_given(&batch, "rain || wet")
        .unwrap();
    assert_close(either[0], (0.3_f64 / 0.44).ln(), 1e-12);
    assert_close(either[1], (0.14_f64 / 0.44).ln(), 1e-12);
    let never = circuit
        .log_conditional_given(&batch, "wet && !wet")
        .unwrap();
    assert!(never.iter().all(|log| log.is_nan()));
    // A density of 5e17 below zero, as a logarithm, rounds no probability away.
    let text = "var x : real; var y : bool; root x ~ normal(0, 1) * y ~ bernoulli(0.3);";
    let far = Circuit::compile(text).unwrap();
    let row = [nan, 1.0];
    let row = Batch::new(&row, 1, 2);
    let logs = far.log_conditional_given(&row, "x = 1000000000").unwrap();
    assert_close(logs[0], 0.3_f64.ln(), 1e-6);
}

#[test]
fn conditionals_keep_their_digits_far_from_all_leaves() {
    let circuit = Circuit::compile(
        "var b : bool; var t : real;
         root 0.9: b * t ~ normal(0, 1) + 0.1: !b * t ~ normal(0, 1);",
    )
    .unwrap();
    for far in [1e3, -1e9, 1e12] {
        let evidence = [f64::NAN, far];
        let evidence = Batch::new(&evidence, 1, 2);
        for (b, expected) in [(1.0, 0.9_f64), (0.0, 0.1)] {
            let row = [b, far];
            let logs = circuit.log_conditional(&Batch::new(&row, 1, 2), &evidence);
            let log = logs.unwrap()[0];
            assert!((log - expected.ln()).abs() < 1e-6, "{far} {b}: {log}");
        }
    }
}
