//! What a caller can choose.

use crate::engine::{EngineOptions, ExecutionEngine};
use crate::kernel::{KernelTable, Precision};

/// How code is generated.
#[derive(Clone, Copy, Debug, Default)]
pub struct CodegenOptions {
    /// The number type of the kernels.
    pub precision: Precision,
    /// Kernels to be called for operations that have one; everything else is generated.
    pub kernels: Option<KernelTable>,
    /// Which instructions generated code may use.
    pub features: CodegenFeatures,
    /// Threads that compile; 0 takes as many as the machine has.
    pub threads: usize,
}

impl CodegenOptions {
    /// How an engine generates code.
    pub fn of(engine: &dyn ExecutionEngine, options: &EngineOptions) -> Self {
        CodegenOptions {
            precision: options.precision,
            kernels: engine.kernels(options),
            features: if options.baseline {
                CodegenFeatures::Baseline
            } else {
                CodegenFeatures::Detect
            },
            threads: options.threads,
        }
    }
}

/// Which instructions generated code may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CodegenFeatures {
    /// All that this CPU has.
    #[default]
    Detect,
    /// Only what every CPU of the architecture has; without fused
    /// multiply-add results differ in the last bits.
    Baseline,
}
