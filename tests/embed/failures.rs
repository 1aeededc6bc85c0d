//! What is wrong is said as plain data, and nothing panics.

use super::{RAIN, WEATHER};
use pelton::{Batch, Circuit, Engine, ErrorKind, FitOptions, Options, RemedyOption, WitnessValue};
use std::ops::ControlFlow;

#[test]
fn a_wrong_circuit_is_told_with_place_witness_and_help() {
    let text = "var a, b : bool;\nassert root is deterministic;\nroot 0.5: a * b ~ bernoulli(0.5) + 0.5: b * a ~ bernoulli(0.5);";
    let error = Circuit::compile(text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Circuit);
    let own = &error.diagnostics()[0];
    assert!(own.code.starts_with("PC"), "{own:?}");
    assert_eq!(own.place().unwrap().line, 2);
    let is_true = |name: &str| {
        own.witness
            .contains(&(name.to_string(), WitnessValue::Bool(true)))
    };
    assert!(is_true("a") && is_true("b"), "{own:?}");
    assert!(own.rendered.contains("root"), "{}", own.rendered);
    assert!(error.message().contains("circuit:2:"), "{error}");
}

#[test]
fn a_misspelt_name_has_a_repair() {
    let error = Circuit::compile("var rain : bool;\nroot rian ~ bernoulli(0.5);").unwrap_err();
    let edits = error.diagnostics().iter().flat_map(|own| &own.suggestions);
    let mut edits = edits.flat_map(|own| &own.edits);
    let edit = edits.next().expect("a repair is offered");
    assert_eq!((edit.replacement.as_str(), edit.place.line), ("rain", 2));
}

#[test]
fn options_that_help_are_those_of_rust() {
    let text = "var x : bool; root x ~ bernoulli(0.5);";
    let mut circuit = Circuit::compile(text).unwrap();
    let batch = Batch::new(&[1.0, 0.0], 2, 1);
    let go_on = |_: &pelton::Progress<'_>| ControlFlow::Continue(());
    let error = circuit
        .fit(&batch, &FitOptions::default(), go_on)
        .unwrap_err();
    let told = error.message();
    assert!(
        told.ends_with("or use `Options::learn_all(true)`"),
        "{told}"
    );
    let flags = |option: RemedyOption| Some(format!("{option:?}"));
    assert!(error.worded(flags).ends_with("or LearnFixedNumbers"));
    // What was wrong in the layer below is kept.
    let source = std::error::Error::source(&error).expect("a source");
    assert!(source.to_string().starts_with("there is nothing to learn"));
    assert!(!source.to_string().contains("learn_all"), "{source}");

    let mixed = "var x : bool; root 0.5: x ~ bernoulli(0.3) + 0.5: x ~ bernoulli(0.6);";
    let words = |option: RemedyOption| {
        (option == RemedyOption::EstimateEntropy).then(|| "draw samples".to_string())
    };
    let many: String = (0..40).map(|at| format!(" * y{at}")).collect();
    let names: String = (0..40).map(|at| format!(", y{at}")).collect();
    let large = mixed.replace("x : bool", &format!("x{names} : bool"));
    let large = large.replace("bernoulli(0.3)", &format!("bernoulli(0.3){many}"));
    let large = large.replace("bernoulli(0.6)", &format!("bernoulli(0.6){many}"));
    let error = Circuit::compile(&large).unwrap().entropy().unwrap_err();
    assert!(
        error.message().contains("Circuit::estimate_entropy"),
        "{error}"
    );
    assert!(error.worded(words).ends_with("; draw samples"), "{error}");
}

#[test]
fn cells_that_are_no_values_are_named() {
    let circuit = Circuit::compile(WEATHER).unwrap();
    for (cells, column, message) in [
        ([3.0, 1.0, 0.0, 0.0], 0, "is not the code of a category"),
        ([0.5, 1.0, 0.0, 0.0], 0, "is not the code of a category"),
        ([0.0, f64::INFINITY, 0.0, 0.0], 1, "is not a number"),
        ([0.0, 1.0, -1.0, 0.0], 2, "is neither true nor false"),
        ([0.0, 1.0, 0.0, 1e300], 3, "is neither true nor false"),
    ] {
        let two = [[0.0, 1.0, 0.0, 1.0], cells].concat();
        let error = circuit.log_likelihood(&Batch::new(&two, 2, 4)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data, "{error}");
        assert!(error.message().contains(message), "{error}");
        let cell = error.cell().unwrap();
        assert_eq!((cell.row, cell.column), (1, column), "{error}");
        assert_eq!(cell.value, cells[column].to_string());
    }
    let texts = Batch::texts(&["cloudi"], 1, 1).names(&["sky"]);
    let error = circuit.map(&texts, "").unwrap_err();
    assert!(
        error.message().contains("did you mean `cloudy`?"),
        "{error}"
    );
}

#[test]
fn the_first_of_several_faults_is_told_whatever_the_threads() {
    let circuit = Options::new().threads(2).compile(RAIN).unwrap();
    let mut cells = vec![0.0; 2 * 10_000];
    for at in [3_001, 7_000, 19_999] {
        cells[at] = 2.0;
    }
    let error = circuit
        .log_likelihood(&Batch::new(&cells, 10_000, 2))
        .unwrap_err();
    let cell = error.cell().unwrap();
    assert_eq!((cell.row, cell.column), (1_500, 1));
}

#[test]
fn shapes_that_do_not_fit_are_usage() {
    let circuit = Circuit::compile(RAIN).unwrap();
    let cells = [0.0; 4];
    let mask = [0_u8; 3];
    for batch in [
        Batch::new(&cells, 3, 2),
        Batch::new(&cells, 4, 1),
        Batch::new(&cells, 2, 2).strides(3, 1),
        Batch::new(&cells, usize::MAX, 2),
        Batch::new(&cells, 2, 2).strides(usize::MAX, usize::MAX),
        Batch::new(&cells, 2, 2).mask(&mask),
        Batch::new(&cells, 2, 2).names(&["rain"]),
        Batch::new(&cells, 2, 2).names(&["rain", "rain"]),
        Batch::new(&cells, 2, 2).names(&["rain", "snow"]),
        Batch::new(&cells, 2, 2).weights(&[1.0]),
        Batch::new(&cells, 2, 2).weights(&[1.0, f64::NAN]),
        Batch::new(&cells, 2, 2).weights(&[0.0, 0.0]),
    ] {
        let error = circuit.marginals(&batch, "").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{batch:?}");
    }
    let batch = Batch::new(&cells, 2, 2);
    let error = circuit.log_likelihood_into(&batch, &mut [0.0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    let error = circuit
        .log_conditional(&batch, &Batch::nothing(1))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let circuit = Circuit::compile(RAIN).unwrap();
    let kind = |question: &str| circuit.query(question).unwrap_err().kind();
    assert_eq!(kind("P(snow)"), ErrorKind::Usage);
    assert_eq!(kind("P(rain"), ErrorKind::Usage);
    assert_eq!(kind(""), ErrorKind::Usage);
    assert_eq!(kind("P(wet | rain && !rain)"), ErrorKind::Data);
    let error = circuit.sample(1, 0, "rain && !rain").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    let error = circuit.sample(usize::MAX, 0, "").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    let error = circuit.map(&Batch::nothing(1), "snow").unwrap_err();
    assert!(!error.diagnostics().is_empty());
}

#[test]
fn files_and_options_that_cannot_be_are_usage() {
    for name in ["/nowhere/at/all.pelton", "/", "/nowhere.pcirc"] {
        assert_eq!(Circuit::load(name).unwrap_err().kind(), ErrorKind::Usage);
    }
    let circuit = Circuit::compile(RAIN).unwrap();
    let error = circuit.save("/nowhere/at/all.pelton").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(
        error.message().contains("there is no such folder"),
        "{error}"
    );
    let zip = Circuit::from_bytes("archive", b"PK\x03\x04 and more").unwrap_err();
    assert_eq!(zip.kind(), ErrorKind::Usage);
    // Generated code is there in this build, and its absence is an error elsewhere.
    assert!(
        Options::new()
            .engine(Engine::Cranelift)
            .compile(RAIN)
            .is_ok()
    );
}
