//! Running a plan kernel by kernel.

use super::{Frame, KernelPass, KernelTable};
use crate::plan::Plan;

/// Runs all operations of a plan on one tile: in order, or the other way round
/// for [`KernelPass::Backward`].
///
/// # Safety
/// The frame's buffers have the lengths that the plan asks for, in the precision
/// of the table; `frame.densities` points to the [`PreparedDensities`](super::PreparedDensities)
/// of the plan if it has density leaves; codes are at most the number of values.
pub unsafe fn interpret(plan: &Plan, pass: KernelPass, table: &KernelTable, frame: &Frame) {
    let run = |op| {
        if let Some((_, kernel)) = table.get(op, pass) {
            // SAFETY: the frame fits the plan that the operation belongs to.
            unsafe { kernel(frame, op) }
        }
    };
    match pass {
        KernelPass::Forward | KernelPass::Max => plan.ops().iter().for_each(run),
        KernelPass::Backward => plan.ops().iter().rev().for_each(run),
    }
}
