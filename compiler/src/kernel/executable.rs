//! A plan with what executes it.

use super::{Frame, KernelPass, KernelTable, Precision, interpret};
use crate::plan::Plan;
use std::fmt::Debug;
use std::sync::Arc;

/// What an engine makes of a plan: runs passes over tiles, called by many threads at once.
pub trait PlanExecutor: Debug + Send + Sync {
    /// Runs a pass on the tile whose buffers the frame describes.
    ///
    /// # Panics
    /// If the pass cannot be run; an engine that prepared it has said so before.
    ///
    /// # Safety
    /// The frame's buffers have the lengths that the plan asks for, in the precision that
    /// it was prepared for, and no other thread uses those that are written; its densities
    /// are the plan's, and codes are at most the number of values of their variable.
    unsafe fn run(&self, pass: KernelPass, frame: &Frame);

    /// Whether backward passes go without counts, and with rows of derivatives that are
    /// used anew. Code that is generated for a plan takes both for given.
    fn derives_without_counts(&self) -> bool {
        false
    }
}

/// A plan and its executor; immutable, to be shared among threads.
#[derive(Debug)]
pub struct ExecutablePlan {
    plan: Arc<Plan>,
    precision: Precision,
    executor: Box<dyn PlanExecutor>,
}

impl ExecutablePlan {
    /// A plan with an executor that was made for it, in this precision.
    pub fn new(plan: Arc<Plan>, precision: Precision, executor: Box<dyn PlanExecutor>) -> Self {
        ExecutablePlan {
            plan,
            precision,
            executor,
        }
    }

    /// Runs the kernels of a table one by one.
    pub fn kernel_by_kernel(plan: Arc<Plan>, precision: Precision, table: KernelTable) -> Self {
        let executor = KernelLoop {
            plan: plan.clone(),
            table,
        };
        ExecutablePlan::new(plan, precision, Box::new(executor))
    }

    /// The plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The number type of its rows.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// What runs it.
    pub(super) fn executor(&self) -> &dyn PlanExecutor {
        &*self.executor
    }
}

/// Calls a kernel for each operation.
#[derive(Debug)]
struct KernelLoop {
    plan: Arc<Plan>,
    table: KernelTable,
}

impl PlanExecutor for KernelLoop {
    unsafe fn run(&self, pass: KernelPass, frame: &Frame) {
        // SAFETY: the caller's promise.
        unsafe { interpret(&self.plan, pass, &self.table, frame) }
    }

    fn derives_without_counts(&self) -> bool {
        true
    }
}
