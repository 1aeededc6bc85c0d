//! Generated code that calls kernels for 256-bit vectors, which Cranelift does not know.

use super::cranelift::generated;
use super::{EngineError, EngineOptions, ExecutionEngine, LOOP_SEGMENT, VectorWidth};
use crate::kernel::{ExecutablePlan, KernelPass, KernelTable};
use crate::plan::{Plan, RowRetention};
use std::sync::Arc;

/// Calls kernels for AVX2 from generated drivers; one by one in builds without the feature
/// `jit`.
#[derive(Debug)]
pub(super) struct WideEngine;

impl ExecutionEngine for WideEngine {
    fn name(&self) -> &'static str {
        "wide"
    }

    fn about(&self) -> &'static str {
        "Compiled code that calls kernels of 256-bit vectors"
    }

    fn preference(&self) -> u8 {
        2
    }

    fn available(&self, options: &EngineOptions) -> Result<(), &'static str> {
        match self.kernels(options) {
            Some(_) => Ok(()),
            None => Err("a CPU with AVX2 and FMA, and leave to use them"),
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

    fn kernels(&self, options: &EngineOptions) -> Option<KernelTable> {
        KernelTable::wide(options.precision).filter(|_| !options.baseline)
    }

    fn segment_terms(&self) -> usize {
        LOOP_SEGMENT
    }

    fn flows_keep(&self) -> RowRetention {
        RowRetention::Values
    }

    fn vectors(&self) -> VectorWidth {
        VectorWidth::Bits256
    }
}
