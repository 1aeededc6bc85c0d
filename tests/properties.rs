//! Thousands of small random circuits: every verdict equals the oracle's.

use pelton_compiler::check::determinism::{DeterminismLimits, decide};
use pelton_compiler::check::{CheckOptions, CircuitFacts, PropertyVerdict, Refutation, examine};
use pelton_compiler::circuit::{CircuitGraph, Property, Scopes, VarId};
use pelton_compiler::reference::{log_total, positive};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_tests::oracle::{Structure, TruthTable, reachable};
use pelton_tests::random::sample;
use std::collections::BTreeMap;

const N_CIRCUITS: u64 = 6_000;
const MOST_POINTS: usize = 1 << 16;

/// How often each thing was seen.
#[derive(Default)]
struct Seen(BTreeMap<String, usize>);

impl Seen {
    fn add(&mut self, what: impl Into<String>, n: usize) {
        *self.0.entry(what.into()).or_default() += n;
    }

    fn print(&self) {
        println!("seeds 0..{N_CIRCUITS}");
        for (what, n) in &self.0 {
            println!("{n:>8}  {what}");
        }
    }
}

#[test]
fn determinism_is_what_the_truth_table_says() {
    let mut seen = Seen::default();
    for seed in 0..N_CIRCUITS {
        let sample = sample(seed);
        let circuit = &sample.circuit;
        let Some(truth) = TruthTable::new(circuit, MOST_POINTS) else {
            seen.add("table too large", 1);
            continue;
        };
        let verdict = verdict(circuit, &DeterminismLimits::default());
        for limits in single_rungs() {
            let alone = self::verdict(circuit, &limits);
            assert!(
                agree(circuit, &alone, &verdict),
                "seed {seed}: {alone:?}, {limits:?}"
            );
        }
        match (&verdict, truth.first_overlap(circuit)) {
            (PropertyVerdict::Proven, None) => {}
            (PropertyVerdict::Refuted(why), Some(sum)) => {
                assert_eq!(why.unit, sum, "seed {seed}: another sum fails first");
                assert!(confirmed(circuit, why), "seed {seed}: {why:?}");
            }
            (verdict, truth) => panic!("seed {seed}: {verdict:?}, but the table has {truth:?}"),
        }
        let name = verdict.name();
        seen.add(format!("verdict {name}"), 1);
        seen.add(format!("style {:?}, {name}", sample.style), 1);
        seen.add(format!("fault {:?}, {name}", sample.fault), 1);
        for (feature, n) in sample.features {
            seen.add(format!("feature {feature}"), n);
        }
    }
    seen.print();
}

#[test]
fn structure_is_what_the_definitions_say() {
    let mut seen = Seen::default();
    for seed in 0..N_CIRCUITS {
        let circuit = sample(seed).circuit;
        let facts = facts(&circuit);
        let truth = Structure::of(&circuit);
        for (property, expected) in [
            (Property::Smooth, Some(truth.smooth)),
            (Property::Decomposable, Some(truth.decomposable)),
            (Property::Normalized, Some(truth.normalized)),
            (Property::Structured, truth.structured),
        ] {
            let verdict = facts.verdict(property).expect("it was asked for");
            let found = match verdict {
                PropertyVerdict::Proven => Some(true),
                PropertyVerdict::Refuted(_) => Some(false),
                PropertyVerdict::Unknown(_) => None,
            };
            assert_eq!(found, expected, "seed {seed}, {property:?}: {verdict:?}");
            seen.add(format!("{} {}", property.name(), verdict.name()), 1);
        }
    }
    seen.print();
}

#[test]
fn normalized_circuits_add_up_to_one() {
    let mut n_summed = 0;
    for seed in 0..N_CIRCUITS {
        let circuit = sample(seed).circuit;
        let truth = Structure::of(&circuit);
        // A variable that the root does not mention is counted with each of its values.
        let scopes = Scopes::compute(&circuit);
        let whole = scopes.of(circuit.root()).len() == circuit.variables().len();
        if !(whole && truth.smooth && truth.decomposable && truth.normalized) {
            continue;
        }
        let values = circuit.start_values();
        if let Some(log_p) = log_total(&circuit, &values, 1 << 12) {
            assert!(log_p.abs() < 1e-9, "seed {seed}: {log_p}");
            n_summed += 1;
        }
    }
    println!("seeds 0..{N_CIRCUITS}: {n_summed} circuits add up to 1");
    assert!(n_summed > N_CIRCUITS / 20);
}

fn facts(circuit: &CircuitGraph) -> CircuitFacts {
    let options = CheckOptions {
        decide: Property::ALL.to_vec(),
        ..CheckOptions::default()
    };
    examine(circuit, &options, &mut SourceDiagnostics::new())
}

fn verdict(circuit: &CircuitGraph, limits: &DeterminismLimits) -> PropertyVerdict {
    let scopes = Scopes::compute(circuit);
    decide(circuit, &scopes, &reachable(circuit), limits)
}

/// Ladders with rungs missing: what a cheap rung usually settles has to be
/// settled by a costly one.
fn single_rungs() -> [DeterminismLimits; 4] {
    let without_samples = DeterminismLimits {
        samples: 0,
        ..DeterminismLimits::default()
    };
    let without_implied = DeterminismLimits {
        implied_steps: 0,
        ..without_samples.clone()
    };
    let from_tables = DeterminismLimits {
        pair_steps: 0,
        ..without_implied.clone()
    };
    let only_sat = DeterminismLimits {
        table_steps: 0,
        ..from_tables.clone()
    };
    [without_samples, without_implied, from_tables, only_sat]
}

fn agree(circuit: &CircuitGraph, alone: &PropertyVerdict, full: &PropertyVerdict) -> bool {
    match (alone, full) {
        (PropertyVerdict::Proven, PropertyVerdict::Proven) => true,
        (PropertyVerdict::Refuted(a), PropertyVerdict::Refuted(b)) => {
            a.unit == b.unit && confirmed(circuit, a)
        }
        _ => false,
    }
}

/// Whether both children are positive at the witness, which names every
/// variable that they mention and no other.
fn confirmed(circuit: &CircuitGraph, why: &Refutation) -> bool {
    let scopes = Scopes::compute(circuit);
    let children: Vec<_> = why
        .children
        .iter()
        .map(|&at| circuit.child(why.unit, at))
        .collect();
    let [first, second] = children[..] else {
        return false;
    };
    let mentioned = scopes.of(first.unit).union(scopes.of(second.unit));
    let named = (0..circuit.variables().len())
        .all(|at| why.witness[at].is_nan() != mentioned.contains(VarId::new(at)));
    let found = positive(circuit, why.unit, &why.witness);
    let weights = [first, second].map(|child| child.weight.expect("children have weights"));
    named
        && why.children[0] != why.children[1]
        && weights
            .iter()
            .all(|&weight| !circuit.entry(weight).is_fixed_zero())
        && found[first.unit.index()]
        && found[second.unit.index()]
}
