//! Logical circuits count models.

use super::{bytes, read, table};
use pelton_compiler::circuit::Property;

/// Each assignment weighs 1 if the formula holds and 0 otherwise.
fn assert_models(name: &str, n_variables: usize, holds: impl Fn(&[bool]) -> bool) {
    let checked = read(name, bytes(name));
    assert_eq!(checked.circuit().variables().len(), n_variables, "{name}");
    assert!(checked.facts().is_proven(Property::Smooth), "{name}");
    assert!(checked.facts().is_proven(Property::Deterministic), "{name}");
    for (at, p) in table(checked.circuit()).iter().enumerate() {
        let row: Vec<bool> = (0..n_variables)
            .rev()
            .map(|bit| at >> bit & 1 == 1)
            .collect();
        assert_eq!(*p, f64::from(holds(&row)), "{name}: {row:?}");
    }
}

#[test]
fn an_sdd_counts_models_over_all_variables() {
    // Variable 3 is in no unit.
    let holds = |row: &[bool]| match (row[0], row[1]) {
        (true, false) => !row[3],
        (false, true) => !row[3],
        (false, false) => row[3],
        (true, true) => false,
    };
    assert_models("parity.sdd", 4, holds);
}

#[test]
fn a_circuit_of_c2d_has_the_variables_of_its_header() {
    let holds = |row: &[bool]| if row[0] { row[1] } else { row[2] };
    assert_models("choice.nnf", 4, holds);
}

#[test]
fn literals_on_arcs_of_d4_are_factors() {
    let inner = |row: &[bool]| row[2] || !row[4];
    let holds = |row: &[bool]| {
        if row[0] {
            row[1] && row[3] && inner(row)
        } else {
            inner(row)
        }
    };
    assert_models("choice.ddnnf", 6, holds);
}

/// What a file says of itself is not believed.
#[test]
fn a_circuit_that_is_not_deterministic_is_found_out() {
    let checked = read("a.nnf", "nnf 3 2 2\nL 1\nL 2\nO 0 2 0 1\n");
    assert!(!checked.facts().is_proven(Property::Deterministic));
}
