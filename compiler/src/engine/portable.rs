//! Kernels in Rust, called one by one: what runs everywhere.
//!
//! No engine that people choose, but what others fall back on: builds without a code
//! generator, passes that want derivatives without counts, code that failed to compile.

use super::{EngineError, EngineOptions, ExecutionEngine, LOOP_SEGMENT};
use crate::kernel::{ExecutablePlan, KernelPass, KernelTable};
use crate::plan::Plan;
use std::sync::Arc;

/// Calls kernels for any CPU one by one.
#[derive(Debug)]
pub(super) struct PortableEngine;

impl ExecutionEngine for PortableEngine {
    fn name(&self) -> &'static str {
        "portable"
    }

    fn about(&self) -> &'static str {
        "Kernels for any CPU, called one by one"
    }

    fn available(&self, _: &EngineOptions) -> Result<(), &'static str> {
        Ok(())
    }

    fn prepare(
        &self,
        plan: Arc<Plan>,
        options: &EngineOptions,
        _: &[KernelPass],
    ) -> Result<ExecutablePlan, EngineError> {
        Ok(one_by_one(plan, options, None))
    }

    fn segment_terms(&self) -> usize {
        LOOP_SEGMENT
    }
}

/// Runs the plan with the fastest kernels in Rust that the CPU has, whatever the engine.
pub fn fallback(plan: Arc<Plan>, options: &EngineOptions) -> ExecutablePlan {
    let wide = KernelTable::wide(options.precision).filter(|_| !options.baseline);
    one_by_one(plan, options, wide)
}

/// Runs these kernels, or those for any CPU.
pub(super) fn one_by_one(
    plan: Arc<Plan>,
    options: &EngineOptions,
    kernels: Option<KernelTable>,
) -> ExecutablePlan {
    let table = kernels.unwrap_or_else(|| KernelTable::portable(options.precision));
    ExecutablePlan::kernel_by_kernel(plan, options.precision, table)
}
