//! Where a call keeps its buffers: offsets into its workspace, which begins at a
//! multiple of 64 bytes.

use super::ObjectSpec;
use super::density::SCRATCH_ROWS;
use super::structure::Structure;
use crate::kernel::ROW_BYTES;
use crate::plan::{Plan, PlanOperation};

/// Offsets of buffers in the workspace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Those of the evaluation.
    pub(super) first: Rows,
    /// Those of the second look.
    pub(super) again: Rows,
    pub(super) derivatives: i64,
    pub(super) counts: i64,
    /// What each sample lost at most, as a part of its value.
    pub(super) losses: i64,
    pub(super) codes: i64,
    pub(super) soft: i64,
    pub(super) reals: i64,
    pub(super) lost: i64,
    /// Logarithms of the leaves of one variable, and what is made of them.
    pub(super) leaf_logs: i64,
    /// Logarithms of all units for one row.
    pub(super) unit_logs: i64,
    /// What a caller has to provide, wherever it begins.
    pub(super) workspace_bytes: usize,
}

/// Buffers that each plan has of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) values: i64,
    pub(super) factors: i64,
    pub(super) exponents: i64,
}

/// What the buffers begin at multiples of.
pub(super) const ALIGN: i64 = 64;

impl Layout {
    pub(super) fn new(spec: &ObjectSpec, structure: &Structure) -> Self {
        let plan = spec.plan;
        let lanes = spec.precision.lanes();
        let mut end = 0;
        let mut take = |bytes: usize| {
            let at = end;
            end += (bytes as i64 + ALIGN - 1) / ALIGN * ALIGN;
            at
        };
        let most_leaves = plan.ops().iter().map(|op| match op {
            PlanOperation::Density(op) => op.n as usize,
            _ => 0,
        });
        let again = spec.second_look.plan;
        let mut layout = Layout {
            first: Rows::new(plan, lanes, &mut take),
            again: Rows::new(again, lanes, &mut take),
            derivatives: take(again.n_derivative_rows() * ROW_BYTES),
            counts: take(again.weights().len() * spec.precision.bytes()),
            losses: take(lanes * 8),
            codes: take(plan.n_code_rows() * lanes * 4),
            soft: take(plan.n_code_rows() * 8),
            reals: take(plan.n_real_rows() * lanes * 8),
            lost: take(8),
            leaf_logs: take((most_leaves.max().unwrap_or(0) + SCRATCH_ROWS) * lanes * 8),
            unit_logs: take(structure.n_units * 8),
            workspace_bytes: 0,
        };
        layout.workspace_bytes = (end + ALIGN) as usize;
        layout
    }
}

impl Rows {
    fn new(plan: &Plan, lanes: usize, take: &mut impl FnMut(usize) -> i64) -> Self {
        Rows {
            values: take(plan.n_rows() * ROW_BYTES),
            factors: take(plan.n_factors() * ROW_BYTES),
            exponents: take(plan.n_exponents() * lanes * 4),
        }
    }
}
