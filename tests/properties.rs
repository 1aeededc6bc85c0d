//! Thousands of small random circuits: every verdict equals the truth table's.

use pelton_compiler::check::determinism::{Limits, decide};
use pelton_compiler::check::{Refutation, Scopes, Verdict};
use pelton_compiler::circuit::Circuit;
use pelton_compiler::evaluate::positive;
use pelton_tests::oracle::{TruthTable, reachable};
use pelton_tests::random::sample;
use std::collections::BTreeMap;

const N_CIRCUITS: u64 = 6_000;
const MOST_POINTS: usize = 1 << 16;

#[test]
fn determinism_is_what_the_truth_table_says() {
    let mut table: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..N_CIRCUITS {
        let sample = sample(seed);
        let circuit = &sample.circuit;
        let Some(truth) = TruthTable::new(circuit, MOST_POINTS) else {
            *table.entry("table too large".into()).or_default() += 1;
            continue;
        };
        let verdict = verdict(circuit, &Limits::default());
        for limits in single_rungs() {
            let alone = self::verdict(circuit, &limits);
            assert!(
                agree(circuit, &alone, &verdict),
                "seed {seed}: {alone:?}, {limits:?}"
            );
        }
        match (&verdict, truth.first_overlap(circuit)) {
            (Verdict::Proven, None) => {}
            (Verdict::Refuted(why), Some(sum)) => {
                assert_eq!(why.unit, sum, "seed {seed}: another sum fails first");
                assert!(confirmed(circuit, why), "seed {seed}: {why:?}");
            }
            (verdict, truth) => panic!("seed {seed}: {verdict:?}, but the table has {truth:?}"),
        }
        let name = verdict.name();
        for key in [
            format!("verdict {name}"),
            format!("style {:?}, {name}", sample.style),
            format!("fault {:?}, {name}", sample.fault),
        ] {
            *table.entry(key).or_default() += 1;
        }
        for (feature, n) in sample.features {
            *table.entry(format!("feature {feature}")).or_default() += n;
        }
    }
    println!("seeds 0..{N_CIRCUITS}");
    for (what, n) in table {
        println!("{n:>8}  {what}");
    }
}

fn verdict(circuit: &Circuit, limits: &Limits) -> Verdict {
    let scopes = Scopes::compute(circuit);
    decide(circuit, &scopes, &reachable(circuit), limits)
}

/// Ladders with rungs missing: what a cheap rung usually settles has to be
/// settled by a costly one.
fn single_rungs() -> [Limits; 4] {
    let without_samples = Limits {
        samples: 0,
        ..Limits::default()
    };
    let without_implied = Limits {
        implied_steps: 0,
        ..without_samples.clone()
    };
    let from_tables = Limits {
        pair_steps: 0,
        ..without_implied.clone()
    };
    let only_sat = Limits {
        table_steps: 0,
        ..from_tables.clone()
    };
    [without_samples, without_implied, from_tables, only_sat]
}

fn agree(circuit: &Circuit, alone: &Verdict, full: &Verdict) -> bool {
    match (alone, full) {
        (Verdict::Proven, Verdict::Proven) => true,
        (Verdict::Refuted(a), Verdict::Refuted(b)) => a.unit == b.unit && confirmed(circuit, a),
        _ => false,
    }
}

/// Whether both children are positive at the witness, which names every
/// variable that they mention and no other.
fn confirmed(circuit: &Circuit, why: &Refutation) -> bool {
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
    let named = (0..circuit.variables().len()).all(|at| {
        why.witness[at].is_nan() != mentioned.contains(pelton_compiler::circuit::VarId::new(at))
    });
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
