//! The plain reference: rows one by one, in logarithms.

use super::portable::one_by_one;
use super::{EngineError, EngineOptions, ExecutionEngine};
use crate::kernel::{ExecutablePlan, KernelPass};
use crate::plan::Plan;
use std::sync::Arc;

/// Answers by the reference evaluation of the circuit itself.
///
/// Its plans serve what looks at one, such as the places of evidence.
#[derive(Debug)]
pub(super) struct ReferenceEngine;

impl ExecutionEngine for ReferenceEngine {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn about(&self) -> &'static str {
        "Plain evaluation in log space, row by row; slow"
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

    fn is_reference(&self) -> bool {
        true
    }
}
