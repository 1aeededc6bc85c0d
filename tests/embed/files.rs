//! Circuits go to files and come back the same.

use super::WEATHER;
use pelton::{Batch, Circuit, FitOptions, Options};
use std::ops::ControlFlow;

fn trained() -> Circuit {
    let mut circuit = Options::new()
        .learn_all(true)
        .compile(WEATHER)
        .expect("it is right");
    let rows = circuit.sample(500, 1, "").expect("it is right");
    let batch = Batch::new(&rows.values, 500, rows.n_variables);
    let go_on = |_: &pelton::Progress<'_>| ControlFlow::Continue(());
    circuit
        .fit(&batch, &FitOptions::default(), go_on)
        .expect("it is right");
    circuit
}

#[test]
fn models_and_texts_come_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let circuit = trained();
    let rows = circuit.sample(100, 2, "").unwrap();
    let batch = Batch::new(&rows.values, 100, rows.n_variables);
    let expected = circuit.log_likelihood(&batch).unwrap();
    for name in ["weather.pelton", "weather.pcirc"] {
        let path = folder.path().join(name);
        circuit.save(&path).unwrap();
        let again = Circuit::load(&path).unwrap();
        assert_eq!(again.log_likelihood(&batch).unwrap(), expected, "{name}");
    }
    let again = Circuit::from_bytes("model", &circuit.to_bytes().unwrap()).unwrap();
    assert_eq!(again.parameters(), circuit.parameters());
    let again = Circuit::compile(&circuit.to_source().unwrap()).unwrap();
    assert_eq!(again.log_likelihood(&batch).unwrap(), expected);
}

#[test]
fn circuits_of_other_tools_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/foreign");
    let mut n_read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let circuit = Circuit::load(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert!(!circuit.variables().is_empty());
        n_read += 1;
    }
    assert!(n_read >= 5);
}
