//! Circuits of the sizes that learners produce are decided, not given up.

use pelton_compiler::check::PropertyVerdict;
use pelton_compiler::check::determinism::{DeterminismLimits, decide};
use pelton_compiler::circuit::{CircuitGraph, Scopes};
use pelton_tests::oracle::reachable;
use pelton_tests::shape;
use std::time::Instant;

fn verdict(name: &str, circuit: &CircuitGraph) -> PropertyVerdict {
    let scopes = Scopes::compute(circuit);
    let start = Instant::now();
    let verdict = decide(
        circuit,
        &scopes,
        &reachable(circuit),
        &DeterminismLimits::default(),
    );
    let (units, edges) = (circuit.n_units(), circuit.n_edges());
    let word = verdict.name();
    println!(
        "{name}: {units} units, {edges} edges, {word} in {:?}",
        start.elapsed()
    );
    verdict
}

#[test]
fn a_learned_psdd_is_proven() {
    let circuit = shape::psdd(69, 600, 1);
    assert_eq!(verdict("psdd", &circuit), PropertyVerdict::Proven);
}

#[test]
fn a_hidden_markov_model_is_refuted() {
    let circuit = shape::hmm(1024, 32, 27);
    assert_eq!(verdict("hmm", &circuit).name(), "refuted");
}

#[test]
fn a_million_children_that_decide_one_variable_are_proven() {
    let circuit = shape::wide_sum(1_000_000);
    assert_eq!(verdict("wide sum", &circuit), PropertyVerdict::Proven);
}

#[test]
fn depth_is_no_obstacle() {
    let apart = shape::towers(500_000, false);
    assert_eq!(verdict("towers apart", &apart), PropertyVerdict::Proven);
    let meeting = shape::towers(500_000, true);
    let found = verdict("towers meeting", &meeting);
    assert!(matches!(found, PropertyVerdict::Refuted(why) if why.witness == [2.0, 0.0]));
}

#[test]
fn circuits_without_a_vtree_are_decided() {
    for (n_variables, seed) in [(8, 1), (12, 2), (16, 3)] {
        let circuit = shape::unstructured(n_variables, seed);
        assert_eq!(verdict("unstructured", &circuit), PropertyVerdict::Proven);
    }
}
