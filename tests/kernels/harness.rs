//! The comparison itself: it sees every feature, and every fault.

use pelton_tests::dice::Dice;
use pelton_tests::differential::{FAULTS, Faulty, Judge, Reference, Tolerance, Worst};
use pelton_tests::oracle::Structure;
use pelton_tests::workload::{
    EVIDENCE, EvidenceKind, FEATURES, Features, Workload, evidence, workload,
};

fn print(features: &Features) {
    for (feature, n) in features {
        println!("{n:>8}  {feature}");
    }
}

#[test]
fn workloads_are_sound_and_have_every_feature() {
    let mut seen = Features::new();
    for seed in 0..1_500 {
        let workload = workload(seed);
        // Sets of variables by definition are slow where there are many.
        if workload.circuit.variables().len() < 100 {
            let structure = Structure::of(&workload.circuit);
            let is_sound = structure.smooth && structure.decomposable;
            assert!(is_sound, "seed {seed}: {:?}", workload.shape);
        }
        for (feature, n) in workload.features {
            *seen.entry(feature).or_default() += n;
        }
    }
    print(&seen);
    for feature in FEATURES {
        assert!(seen.contains_key(feature), "{feature} never occurred");
    }
}

/// The worst that the reference differs from itself, after a way through a table.
fn judged(workload: &Workload, kind: EvidenceKind, seed: u64, seen: &mut Features) -> Worst {
    let mut dice = Dice::new(seed);
    let table = evidence(workload, kind, 4, &mut dice, seen);
    let (circuit, values) = (&workload.circuit, &workload.values);
    let judge = Judge::new(circuit, values, &table);
    let judged = judge.judge(&mut Reference { circuit, values }, Tolerance::DOUBLE);
    let worst = judged.unwrap_or_else(|why| panic!("seed {seed}, {kind:?}: {why}"));
    // Large densities at a point have digits that those of modes lack, which are what
    // differences of factorials leave of them.
    assert!(worst.log_p < 1e-12, "seed {seed}: {}", worst.log_p);
    assert_eq!(worst.flow, 0.0, "seed {seed}");
    for fault in FAULTS {
        let reference = Reference { circuit, values };
        let mut subject = Faulty { reference, fault };
        let judged = judge.judge(&mut subject, Tolerance::DOUBLE);
        if judged.is_err() {
            *seen.entry(fault.name()).or_default() += 1;
        }
    }
    worst
}

#[test]
fn the_reference_is_accepted_and_every_fault_is_seen() {
    let mut seen = Features::new();
    let mut worst = Worst::default();
    for seed in 0..60 {
        let workload = workload(seed);
        if workload.circuit.n_edges() > 2_000 {
            continue;
        }
        for kind in EVIDENCE {
            worst = worst.join(judged(&workload, kind, seed, &mut seen));
        }
    }
    print(&seen);
    println!("{worst:?}");
    assert!(worst.n_zero > 0 && worst.least_log_p < -800.0);
    for fault in FAULTS {
        let n = seen.get(fault.name()).copied().unwrap_or_default();
        assert!(n > 10, "{} was seen {n} times", fault.name());
    }
    for cell in ["hard cell", "missing cell", "soft cell"] {
        assert!(seen.contains_key(cell), "{cell} never occurred");
    }
}
