//! A plan with what executes it.

use super::{Frame, KernelTable, Pass, Precision, interpret};
#[cfg(feature = "jit")]
use crate::codegen::{self, CodegenError, CodegenOptions, Kernel};
use crate::plan::Plan;
use std::sync::Arc;

/// A plan and its executor; immutable, to be shared among threads.
#[derive(Debug)]
pub struct Program {
    plan: Arc<Plan>,
    precision: Precision,
    executor: Executor,
}

#[derive(Debug)]
enum Executor {
    /// Kernels called one by one.
    Interpreted(Box<KernelTable>),
    /// Generated code.
    #[cfg(feature = "jit")]
    Compiled(Box<Kernel>),
}

impl Program {
    /// Runs the kernels of a table one by one.
    pub fn interpreted(plan: Arc<Plan>, precision: Precision, use_wide: bool) -> Self {
        let wide = KernelTable::wide(precision).filter(|_| use_wide);
        let table = wide.unwrap_or_else(|| KernelTable::portable(precision));
        Program {
            plan,
            precision,
            executor: Executor::Interpreted(Box::new(table)),
        }
    }

    /// Whether kernels are called one by one.
    pub fn is_interpreted(&self) -> bool {
        matches!(self.executor, Executor::Interpreted(_))
    }

    /// The plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The number type of its rows.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// Runs a pass on one tile.
    ///
    /// # Safety
    /// The frame's buffers have the lengths that the plan asks for and the
    /// program's precision, its densities are the plan's, and codes are at most
    /// the number of values of their variable.
    pub(super) unsafe fn run(&self, pass: Pass, frame: &Frame) {
        match &self.executor {
            // SAFETY: the caller's promise.
            Executor::Interpreted(table) => unsafe { interpret(&self.plan, pass, table, frame) },
            #[cfg(feature = "jit")]
            // SAFETY: likewise.
            Executor::Compiled(kernel) => unsafe { kernel.run(pass, frame) },
        }
    }
}

#[cfg(feature = "jit")]
impl Program {
    /// Generates code. Each pass is compiled when it is first used, unless it is
    /// [prepared](Program::prepare) before.
    pub fn compiled(plan: Arc<Plan>, options: &CodegenOptions) -> Result<Self, CodegenError> {
        Ok(Program {
            plan: plan.clone(),
            precision: options.precision,
            executor: Executor::Compiled(Box::new(codegen::compile(plan, options)?)),
        })
    }

    /// Makes sure that a pass can be run.
    pub fn prepare(&self, pass: Pass) -> Result<(), CodegenError> {
        match &self.executor {
            Executor::Interpreted(_) => Ok(()),
            Executor::Compiled(kernel) => kernel.prepare(pass),
        }
    }

    /// Bytes of machine code that a pass takes; none if kernels are called one by one.
    pub fn code_bytes(&self, pass: Pass) -> Result<usize, CodegenError> {
        match &self.executor {
            Executor::Interpreted(_) => Ok(0),
            Executor::Compiled(kernel) => kernel.code_bytes(pass),
        }
    }
}
