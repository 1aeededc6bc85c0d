//! Plans of small circuits.

use crate::check::{CheckOptions, Checked, check};
use crate::emit::tests::fixture;
use crate::plan::{Keep, Op, Plan, PlanOptions, plan};
use pelton_grammar::diagnostic::Diagnostics;

fn checked(circuit: crate::circuit::Circuit) -> Checked {
    let mut found = Diagnostics::new();
    check(circuit, &CheckOptions::default(), &mut found).expect("a sound circuit")
}

fn count(plan: &Plan, wanted: impl Fn(&Op) -> bool) -> usize {
    plan.ops().iter().filter(|op| wanted(op)).count()
}

#[test]
fn a_hidden_markov_model_is_dense_blocks_with_shared_weights() {
    let plan = plan(&checked(fixture::hmm(32, 16, 27)), &PlanOptions::default());
    let blocks = count(&plan, |op| matches!(op, Op::Dense(_)));
    assert_eq!(blocks, 31, "{plan}");
    assert_eq!(count(&plan, |op| matches!(op, Op::Gather(_))), 32, "{plan}");
    // The constant, prior, transitions and tables of emissions with an entry for missing cells.
    assert_eq!(plan.weights().len(), 1 + 16 + 16 * 16 + 16 * 28);
    assert!(count(&plan, |op| matches!(op, Op::Rescale(_))) > 0);
}

#[test]
fn evaluation_alone_uses_rows_anew() {
    let checked = checked(fixture::hmm(64, 4, 27));
    let keeping = |keep| {
        let options = PlanOptions {
            keep,
            ..PlanOptions::default()
        };
        plan(&checked, &options).n_rows()
    };
    assert!(keeping(Keep::All) > 64 * 4 * 2);
    assert!(keeping(Keep::Live) < 4 * 5);
    // Products alone, and what products are made of.
    assert!((64 * 4..64 * 4 + 4 * 5).contains(&keeping(Keep::Choices)));
    assert!((64 * 4 * 2..keeping(Keep::All)).contains(&keeping(Keep::Evidence)));
}
