//! Listings name what they show and do not change.

use super::{PASSES, all_options, plan};
use crate::codegen::{CodegenOptions, asm_text, clif_text};
use crate::kernel::KernelPass;
use crate::plan::{
    AddExponents, DenseLayer, DerivativeWrite, ExponentId, FactorId, Plan, PlanOperation, PlanRow,
    ProductRun, ScaleClass, ScopeRescale, SparseSegment, WeightSlot,
};

fn example() -> Plan {
    plan(vec![
        PlanOperation::Dense(DenseLayer {
            out: PlanRow(3),
            n_out: 4,
            input: PlanRow(1),
            n_in: 2,
            weights: WeightSlot(0),
            flow: DerivativeWrite::Skip,
        }),
        PlanOperation::Product(ProductRun {
            out: PlanRow(7),
            n: 2,
            factors: vec![
                (PlanRow(3), DerivativeWrite::Set),
                (PlanRow(5), DerivativeWrite::Set),
            ],
        }),
        PlanOperation::AddExponents(AddExponents {
            exponent: ExponentId(1),
            inputs: vec![ExponentId(0), ExponentId(2)],
        }),
        PlanOperation::Rescale(ScopeRescale {
            exponent: ExponentId(1),
            classes: vec![ScaleClass {
                rows: vec![(PlanRow(7), 2)],
                exponent: Some(ExponentId(1)),
                factor: FactorId(0),
            }],
        }),
        PlanOperation::Sparse(SparseSegment {
            words: [2, 1, 1, 9, 8, 7, 8].into(),
            n_sums: 1,
            n_terms: 2,
        }),
    ])
}

#[test]
fn every_operation_has_its_comment() {
    let text =
        clif_text(&example(), &CodegenOptions::default(), KernelPass::Forward).expect("host");
    for comment in [
        "; operation 0: dense: r3..r7 = w0[4][2] * r1..r3",
        "; operation 1: product: r7..r9 = r3..r5 * r5..r7",
        "; operation 2: exponents: e1 = e0 + e2",
        "; operation 3: rescale: r7..r9 on exponent e1",
        "; operation 4: sparse: 1 sums of 2 terms",
    ] {
        assert!(text.contains(comment), "{comment} is missing:\n{text}");
        let inside = format!("    {comment}\n");
        assert!(text.contains(&inside), "{comment} heads no code:\n{text}");
    }
    assert!(!text.contains('@'), "marks are left over:\n{text}");
}

#[test]
fn listings_are_the_same_each_time() {
    for options in all_options() {
        for pass in PASSES {
            for text in [clif_text, asm_text] {
                let first = text(&example(), &options, pass).expect("host");
                let second = text(&example(), &options, pass).expect("host");
                assert_eq!(first, second);
                assert!(first.contains("function") || first.contains("ret"));
            }
        }
    }
}
