//! How a model is compiled, and why one could not be.

use pelton_compiler::check::Checked;
#[cfg(feature = "jit")]
use pelton_compiler::codegen::CodegenOptions;
use pelton_compiler::engine::{Engine, EngineError, EngineOptions, ExecutionEngine};
use pelton_compiler::kernel::Precision;
use pelton_compiler::plan::{Plan, PlanOptions, RowRetention, plan};

/// Why a model could not be compiled; the circuit's fault only where it is no distribution.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CompileError {
    /// The engine does not run here, or its code could not be generated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An object was asked for of a circuit whose mass is zero or infinite.
    #[cfg(feature = "build")]
    #[error("{0}")]
    NoDistribution(String),
}

/// How a model is compiled.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelOptions {
    /// What evaluates it.
    pub engine: Engine,
    /// The number type of values; totals are double.
    pub precision: Precision,
    /// Threads that compile; 0 takes as many as there are cores.
    pub threads: usize,
    /// Terms in a segment of sparse sums; 0 takes what suits the engine.
    pub segment_terms: usize,
    /// Whether generated code may use no more than every CPU of its kind has.
    pub baseline: bool,
}

impl ModelOptions {
    /// What the engine is told.
    pub fn engine_options(&self) -> EngineOptions {
        EngineOptions {
            precision: self.precision,
            baseline: self.baseline,
            threads: self.threads,
        }
    }

    /// The engine that is meant, if it runs here.
    pub fn select_engine(&self) -> Result<&'static dyn ExecutionEngine, EngineError> {
        self.engine.select(&self.engine_options())
    }

    /// The plan of a circuit for an engine.
    pub fn plan(
        &self,
        engine: &dyn ExecutionEngine,
        checked: &Checked,
        keep: RowRetention,
    ) -> Plan {
        let options = PlanOptions {
            precision: self.precision,
            keep,
            segment_terms: match self.segment_terms {
                0 => engine.segment_terms(),
                terms => terms,
            },
        };
        plan(checked, &options)
    }

    /// How code is generated for an engine.
    #[cfg(feature = "jit")]
    pub fn codegen(&self, engine: &dyn ExecutionEngine) -> CodegenOptions {
        CodegenOptions::of(engine, &self.engine_options())
    }
}
