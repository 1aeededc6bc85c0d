//! Every kernel against formulas in double precision, on random operations.

mod bench;
mod formula;
mod make;

use super::*;
use crate::plan::Plan;
use bench::Bench;
use make::Maker;

/// Runs a kernel and the formula on equal buffers and compares all of them.
fn agree<R: Real>(table: &KernelTable, bench: &Bench, op: &PlanOperation, pass: KernelPass) {
    let mut expected = bench.clone();
    formula::run(&mut expected, op, pass, R::PRECISION);
    let mut found = bench.clone();
    found.run::<R>(table, std::slice::from_ref(op), pass);
    found.compare(&expected, op, pass, R::PRECISION);
}

fn tables(precision: Precision) -> Vec<KernelTable> {
    let portable = KernelTable::portable(precision);
    std::iter::once(portable)
        .chain(KernelTable::wide(precision))
        .collect()
}

/// Makes operations and compares all tables in both precisions.
fn all_agree(seed: u64, n: u64, make: impl Fn(&mut Maker) -> PlanOperation) {
    for precision in [Precision::F32, Precision::F64] {
        for at in 0..n {
            let mut maker = Maker::new(1000 * seed + at, precision);
            let op = make(&mut maker);
            let bench = maker.bench();
            for table in tables(precision) {
                for pass in [KernelPass::Forward, KernelPass::Max, KernelPass::Backward] {
                    match precision {
                        Precision::F32 => agree::<f32>(&table, &bench, &op, pass),
                        Precision::F64 => agree::<f64>(&table, &bench, &op, pass),
                    }
                }
            }
        }
    }
}

#[test]
fn dense_layers_of_every_small_size() {
    for n_out in 1..=14 {
        all_agree(n_out.into(), 9, |maker| {
            let n_in = maker.below(9) + 1;
            maker.dense(n_out, n_in)
        });
    }
}

#[test]
fn dense_layers_of_random_size() {
    all_agree(1, 60, |maker| {
        let (n_out, n_in) = (maker.below(70) + 1, maker.below(70) + 1);
        maker.dense(n_out, n_in)
    });
}

#[test]
fn sparse_segments() {
    all_agree(2, 60, |maker| maker.sparse());
}

#[test]
fn products() {
    all_agree(3, 60, |maker| maker.product());
}

#[test]
fn tables_over_larger_domains() {
    all_agree(4, 60, |maker| maker.gather());
}

#[test]
fn rescaling() {
    all_agree(5, 100, |maker| maker.rescale());
}

#[test]
fn adding_exponents() {
    all_agree(6, 20, |maker| maker.add_exponents());
}

/// A later sum uses an earlier one, so that order matters in both directions.
#[test]
fn plans_run_backward_in_reverse() {
    let mut maker = Maker::new(7, Precision::F64);
    let first = maker.dense(3, 4);
    let PlanOperation::Dense(below) = &first else {
        unreachable!("a dense layer was made")
    };
    let out = maker.rows(1);
    let weights = maker.slots(3);
    let words = [
        3,
        1,
        1,
        out.0,
        weights.0,
        below.out.0,
        below.out.0 + 1,
        below.out.0 + 2,
    ];
    let second = PlanOperation::Sparse(crate::plan::SparseSegment {
        words: words.into(),
        n_sums: 1,
        n_terms: 3,
    });
    let plan = maker.plan(vec![first, second]);
    for pass in [KernelPass::Forward, KernelPass::Backward] {
        let mut expected = maker.bench();
        let mut order: Vec<&PlanOperation> = plan.ops().iter().collect();
        if pass == KernelPass::Backward {
            order.reverse();
        }
        for op in order {
            formula::run(&mut expected, op, pass, Precision::F64);
        }
        for table in tables(Precision::F64) {
            let mut found = maker.bench();
            found.interpret::<f64>(&table, &plan, pass);
            found.compare(&expected, &plan.ops()[1], pass, Precision::F64);
        }
    }
}

#[test]
fn names_are_symbols_of_their_own() {
    let mut maker = Maker::new(8, Precision::F32);
    let ops = [
        maker.dense(2, 2),
        maker.sparse(),
        maker.product(),
        maker.gather(),
        maker.rescale(),
        maker.add_exponents(),
    ];
    let mut seen = std::collections::HashMap::new();
    for precision in [Precision::F32, Precision::F64] {
        for table in tables(precision) {
            for (op, pass) in ops.iter().flat_map(|op| {
                let passes = [KernelPass::Forward, KernelPass::Max, KernelPass::Backward];
                passes.map(|pass| (op, pass))
            }) {
                let Some((name, kernel)) = table.get(op, pass) else {
                    assert!(matches!(op, PlanOperation::AddExponents(_)));
                    continue;
                };
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                assert!(name.chars().all(is_word), "{name}");
                let known = seen.entry(name).or_insert(kernel as usize);
                assert_eq!(*known, kernel as usize, "{name}");
            }
        }
    }
}
