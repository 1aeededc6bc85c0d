//! What optimisation keeps beside the distribution: flows of all that is learned.

use pelton_compiler::check::{CheckOptions, check};
use pelton_compiler::circuit::{CircuitGraph, Leaf, LeafKind};
use pelton_compiler::flow::CircuitFlows;
use pelton_compiler::optimize::optimize;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_tests::dice::Dice;
use pelton_tests::differential::{Reference, Subject};
use pelton_tests::workload::{EVIDENCE, Features, Shape, evidence, workload};

fn optimized(circuit: &CircuitGraph) -> CircuitGraph {
    let mut found = SourceDiagnostics::new();
    let checked = check(circuit.clone(), &CheckOptions::default(), &mut found);
    optimize(checked.expect("workloads are right"))
        .circuit()
        .clone()
}

#[track_caller]
fn same(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        let is_same = found == expected || error < 1e-9;
        assert!(is_same, "{what}: {found} is not {expected}");
    }
}

fn is_learned(circuit: &CircuitGraph, leaf: &Leaf) -> bool {
    match &leaf.kind {
        LeafKind::Indicator(_) => false,
        LeafKind::Distribution(distribution) => distribution
            .params
            .iter()
            .any(|&param| circuit.entries(param).iter().any(|entry| entry.learned)),
    }
}

/// The numbers of flows that learning reads, of what is learned in `original`.
fn learned(original: &CircuitGraph, circuit: &CircuitGraph, flows: &CircuitFlows) -> Vec<f64> {
    let entries = original.all_entries().iter().zip(&flows.entries);
    let entries = entries.filter(|(entry, _)| entry.learned);
    let mut numbers: Vec<f64> = entries.map(|(_, &flow)| flow).collect();
    for leaf in original.leaves() {
        if is_learned(original, leaf) {
            // A leaf that the root cannot reach may be gone; it has no flow.
            let at = circuit.leaves().iter().position(|other| other == leaf);
            let own = at.map_or(&[][..], |at| flows.leaves[at].numbers());
            numbers.extend(own.iter().map(|&number| number + 0.0));
            if at.is_none() {
                let zero = pelton_compiler::flow::LeafFlows::zero(original, leaf);
                numbers.extend(zero.numbers());
            }
        }
    }
    numbers
}

#[test]
fn optimisation_keeps_likelihoods_and_learned_flows() {
    let mut n_numbers = 0;
    for seed in 0..150 {
        let workload = workload(seed);
        let (original, values) = (&workload.circuit, &workload.values);
        let rewritten = optimized(original);
        let kind = EVIDENCE[seed as usize % EVIDENCE.len()];
        let mut dice = Dice::new(seed);
        let table = evidence(&workload, kind, 3, &mut dice, &mut Features::new());
        let mut before = Reference {
            circuit: original,
            values,
        };
        let mut new_values = values.clone();
        let added = rewritten.start_values().into_iter().skip(values.len());
        new_values.extend(added);
        let mut after = Reference {
            circuit: &rewritten,
            values: &new_values,
        };
        let name = format!("seed {seed}, {:?}, {kind:?}", workload.shape);
        let logs = (
            before.log_likelihoods(&table),
            after.log_likelihoods(&table),
        );
        same(&format!("{name}: likelihood"), &logs.1, &logs.0);
        let flows = (before.flows(&table), after.flows(&table));
        assert_eq!(flows.0.1, flows.1.1, "{name}");
        let old = learned(original, original, &flows.0.0);
        let new = learned(original, &rewritten, &flows.1.0);
        same(&format!("{name}: flow"), &new, &old);
        n_numbers += new.len();
        if workload.shape == Shape::Decisions {
            let logs = (before.maxima(&table), after.maxima(&table));
            same(&format!("{name}: maximum"), &logs.1, &logs.0);
            let flows = (before.support_flows(&table), after.support_flows(&table));
            let old = learned(original, original, &flows.0);
            let new = learned(original, &rewritten, &flows.1);
            same(&format!("{name}: support flow"), &new, &old);
        }
    }
    println!("{n_numbers} numbers");
    assert!(n_numbers > 4_000);
}
