//! Code that Cranelift generates, alone.

use super::{EngineError, EngineOptions, ExecutionEngine};
use crate::kernel::{ExecutablePlan, KernelPass};
use crate::plan::Plan;
use std::sync::Arc;

/// Generates code for every operation but densities: 128-bit vectors, on every machine.
#[derive(Debug)]
pub(super) struct CraneliftEngine;

impl ExecutionEngine for CraneliftEngine {
    fn name(&self) -> &'static str {
        "cranelift"
    }

    fn about(&self) -> &'static str {
        "Compiled code of 128-bit vectors, on every machine"
    }

    fn preference(&self) -> u8 {
        1
    }

    fn available(&self, _: &EngineOptions) -> Result<(), &'static str> {
        if cfg!(feature = "jit") {
            Ok(())
        } else {
            Err("a build with the feature `jit`")
        }
    }

    fn prepare(
        &self,
        plan: Arc<Plan>,
        options: &EngineOptions,
        passes: &[KernelPass],
    ) -> Result<ExecutablePlan, EngineError> {
        generated(self, plan, options, passes)
    }
}

/// Code for the plan that calls the kernels that the engine has.
#[cfg(feature = "jit")]
pub(super) fn generated(
    engine: &dyn ExecutionEngine,
    plan: Arc<Plan>,
    options: &EngineOptions,
    passes: &[KernelPass],
) -> Result<ExecutablePlan, EngineError> {
    use crate::codegen;
    let code = codegen::compile(plan.clone(), &codegen::CodegenOptions::of(engine, options))?;
    for &pass in passes {
        code.prepare(pass)?;
    }
    Ok(ExecutablePlan::new(plan, options.precision, Box::new(code)))
}

/// Without a code generator the kernels that its drivers would call are called one by one.
#[cfg(not(feature = "jit"))]
pub(super) fn generated(
    engine: &dyn ExecutionEngine,
    plan: Arc<Plan>,
    options: &EngineOptions,
    _: &[KernelPass],
) -> Result<ExecutablePlan, EngineError> {
    let kernels = engine.kernels(options);
    Ok(super::portable::one_by_one(plan, options, kernels))
}
