//! Parameters by name.

use super::{RAIN, assert_close};
use pelton::{Circuit, ErrorKind, Options, Property, Verdict};

const NAMED: &str = "var a, b : bool;
    param w : simplex(2) = [?0.25, ?0.75];
    param p[0..2] : unit = ?;
    node left[k in 0..2] = a ~ bernoulli(p[k]) * b ~ bernoulli(?0.5);
    root w[0]: left[0] + w[1]: left[1];";

#[test]
fn what_is_written_is_read_and_used() {
    let mut circuit = Circuit::compile(NAMED).unwrap();
    let names: Vec<String> = circuit
        .parameters()
        .into_iter()
        .map(|own| own.name)
        .collect();
    assert!(
        names.starts_with(&["w".to_string(), "p[0]".to_string()]),
        "{names:?}"
    );
    assert_eq!(circuit.parameter("w").unwrap().values, [0.25, 0.75]);
    circuit.set_parameter("w", &[0.5, 0.5]).unwrap();
    circuit.set_parameter("p[0]", &[0.1]).unwrap();
    circuit.set_parameter("p[ 1 ]", &[0.9]).unwrap();
    assert_eq!(circuit.parameter("p[1]").unwrap().values, [0.9]);
    assert_close(circuit.query("P(a)").unwrap().value(), 0.5, 1e-12);
    circuit.set_parameter("w", &[1.0, 0.0]).unwrap();
    assert_close(circuit.query("P(a)").unwrap().value(), 0.1, 1e-12);
    let again = Circuit::compile(&circuit.to_source().unwrap()).unwrap();
    let values = |circuit: &Circuit| -> Vec<Vec<f64>> {
        circuit
            .parameters()
            .into_iter()
            .map(|own| own.values)
            .collect()
    };
    assert_eq!(values(&again), values(&circuit));
}

#[test]
fn a_clone_has_parameters_of_its_own() {
    let mut circuit = Circuit::compile(NAMED).unwrap();
    let other = circuit.clone();
    circuit.set_parameter("w", &[0.0, 1.0]).unwrap();
    assert_eq!(other.parameter("w").unwrap().values, [0.25, 0.75]);
}

#[test]
fn values_that_cannot_be_are_refused_and_change_nothing() {
    let mut circuit = Circuit::compile(NAMED).unwrap();
    let before = circuit.parameters();
    for (name, values) in [
        ("w", &[0.5, 0.6][..]),
        ("w", &[1.0]),
        ("w", &[-0.5, 1.5]),
        ("w", &[f64::NAN, 1.0]),
        ("p[0]", &[1.5]),
        ("p[0]", &[]),
        ("p[0]", &[0.5, 0.5]),
        ("p[7]", &[0.5]),
        ("v", &[0.5, 0.5]),
    ] {
        let error = circuit.set_parameter(name, values).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{name} {values:?}");
    }
    assert_eq!(circuit.parameters(), before);
}

#[test]
fn fixed_numbers_stay_unless_all_is_learned() {
    let mut fixed = Circuit::compile(RAIN).unwrap();
    let name = "root.weights";
    assert_eq!(fixed.parameter(name).unwrap().learned, [false, false]);
    assert!(fixed.set_parameter(name, &[0.5, 0.5]).is_err());
    fixed.set_parameter(name, &[0.3, 0.7]).unwrap();
    let mut free = Options::new().learn_all(true).compile(RAIN).unwrap();
    free.set_parameter(name, &[0.5, 0.5]).unwrap();
    assert_close(free.query("P(rain)").unwrap().value(), 0.5, 1e-12);
}

#[test]
fn properties_and_sizes_are_known() {
    let circuit = Circuit::compile(RAIN).unwrap();
    assert_eq!(circuit.property(Property::Deterministic), Verdict::Proven);
    let mixture = Circuit::compile(NAMED).unwrap();
    assert_eq!(mixture.property(Property::Deterministic), Verdict::Refuted);
    assert_eq!(mixture.property(Property::Smooth), Verdict::Proven);
    let size = mixture.size();
    assert!(
        size.units > 4 && size.edges > 4 && size.free_parameters == 5,
        "{size:?}"
    );
}
