//! Which rows of a plan are leaves, and of which variable.

use pelton_compiler::circuit::VarId;
use pelton_compiler::plan::{Plan, PlanOperation, PlanRow};

/// Leaves of one variable in consecutive rows.
#[derive(Debug)]
pub(super) struct LeafRun {
    pub variable: VarId,
    pub out: PlanRow,
    pub n: u32,
    pub kind: LeafRunKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum LeafRunKind {
    /// From tables: the first weight, and the number of values.
    Tables { weights: u32, n_values: u32 },
    /// As densities: the first of the plan's density leaves.
    Densities { first: u32 },
}

/// The leaves of a plan that have tables or densities.
pub(super) fn leaf_runs(plan: &Plan) -> Vec<LeafRun> {
    let run = |op: &PlanOperation| match op {
        PlanOperation::Gather(op) => Some(LeafRun {
            variable: op.variable,
            out: op.out,
            n: op.n,
            kind: LeafRunKind::Tables {
                weights: op.weights.0,
                n_values: op.n_values,
            },
        }),
        PlanOperation::Density(op) => Some(LeafRun {
            variable: op.variable,
            out: op.out,
            n: op.n,
            kind: LeafRunKind::Densities {
                first: op.first_leaf,
            },
        }),
        PlanOperation::Dense(_)
        | PlanOperation::Sparse(_)
        | PlanOperation::Product(_)
        | PlanOperation::Rescale(_)
        | PlanOperation::AddExponents(_) => None,
    };
    plan.ops().iter().filter_map(run).collect()
}
