//! Where a call keeps its buffers: offsets into its workspace, which begins at a
//! multiple of 64 bytes.

use super::ObjectSpec;
use super::density::SCRATCH_ROWS;
use super::structure::Structure;
use crate::kernel::{Frame, ROW_BYTES};
use crate::plan::{Plan, PlanOperation};

/// Offsets of buffers in the workspace.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Those of the evaluation.
    pub(super) first: PlanRows,
    /// Those of the second look.
    pub(super) again: PlanRows,
    pub(super) frame: usize,
    pub(super) again_frame: usize,
    /// The exponents of the root; zeros if it has none.
    pub(super) root_exponents: usize,
    pub(super) derivatives: usize,
    /// The root's row of derivatives.
    pub(super) start: usize,
    pub(super) counts: usize,
    /// What each sample lost at most, as a part of its value.
    pub(super) losses: usize,
    pub(super) codes: usize,
    pub(super) soft: usize,
    pub(super) reals: usize,
    pub(super) lost: usize,
    /// Logarithms of the leaves of one variable, and what is made of them.
    pub(super) leaf_logs: usize,
    /// Logarithms of all units for one row.
    pub(super) unit_logs: usize,
    /// What a caller has to provide, wherever it begins.
    pub(super) workspace_bytes: usize,
}

/// Buffers that each plan has of its own.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanRows {
    pub(super) values: usize,
    /// The root's row of values.
    pub(super) root: usize,
    pub(super) factors: usize,
    pub(super) exponents: usize,
}

/// What the buffers begin at multiples of.
pub(super) const ALIGN: usize = 64;

impl Layout {
    pub(super) fn new(spec: &ObjectSpec, structure: &Structure) -> Self {
        let plan = spec.plan;
        let lanes = spec.precision.lanes();
        let mut end = 0;
        let mut take = |bytes: usize| {
            let at = end;
            end += bytes.next_multiple_of(ALIGN);
            at
        };
        let most_leaves = plan.ops().iter().map(|op| match op {
            PlanOperation::Density(op) => op.n as usize,
            _ => 0,
        });
        let again = spec.second_look.plan;
        let (first, again_rows) = (
            PlanRows::new(plan, lanes, &mut take),
            PlanRows::new(again, lanes, &mut take),
        );
        let derivatives = take(again.n_derivative_rows() * ROW_BYTES);
        let root_exponents = match plan.root_exponent() {
            Some(id) => first.exponents + id.0 as usize * lanes * 4,
            None => take(lanes * 4),
        };
        let mut layout = Layout {
            first,
            again: again_rows,
            frame: take(size_of::<Frame>()),
            again_frame: take(size_of::<Frame>()),
            root_exponents,
            derivatives,
            start: derivatives + again.derivative_row(again.root()).0 as usize * ROW_BYTES,
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
        layout.workspace_bytes = end + ALIGN;
        layout
    }
}

impl PlanRows {
    fn new(plan: &Plan, lanes: usize, take: &mut impl FnMut(usize) -> usize) -> Self {
        let values = take(plan.n_rows() * ROW_BYTES);
        PlanRows {
            values,
            root: values + plan.root().0 as usize * ROW_BYTES,
            factors: take(plan.n_factors() * ROW_BYTES),
            exponents: take(plan.n_exponents() * lanes * 4),
        }
    }
}
