//! Plans of small circuits.

use crate::check::{CheckOptions, Checked, check};
use crate::emit::tests::fixture;
use crate::plan::{Plan, PlanOperation, PlanOptions, RowRetention, plan};
use pelton_grammar::diagnostic::SourceDiagnostics;

fn checked(circuit: crate::circuit::CircuitGraph) -> Checked {
    let mut found = SourceDiagnostics::new();
    check(circuit, &CheckOptions::default(), &mut found).expect("a sound circuit")
}

fn count(plan: &Plan, wanted: impl Fn(&PlanOperation) -> bool) -> usize {
    plan.ops().iter().filter(|op| wanted(op)).count()
}

#[test]
fn a_hidden_markov_model_is_dense_blocks_with_shared_weights() {
    let plan = plan(&checked(fixture::hmm(32, 16, 27)), &PlanOptions::default());
    let blocks = count(&plan, |op| matches!(op, PlanOperation::Dense(_)));
    assert_eq!(blocks, 31, "{plan}");
    assert_eq!(
        count(&plan, |op| matches!(op, PlanOperation::Gather(_))),
        32,
        "{plan}"
    );
    // The constant, prior, transitions and tables of emissions with an entry for missing cells.
    assert_eq!(plan.weights().len(), 1 + 16 + 16 * 16 + 16 * 28);
    assert!(count(&plan, |op| matches!(op, PlanOperation::Rescale(_))) > 0);
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
    assert!(keeping(RowRetention::All) > 64 * 4 * 2);
    assert!(keeping(RowRetention::Live) < 4 * 5);
    // Products alone, and what products are made of.
    assert!((64 * 4..64 * 4 + 4 * 5).contains(&keeping(RowRetention::Choices)));
    assert!((64 * 4 * 2..keeping(RowRetention::All)).contains(&keeping(RowRetention::Evidence)));
}
