//! How a model is compiled.

use pelton_compiler::check::Checked;
#[cfg(feature = "jit")]
use pelton_compiler::codegen::{CodegenOptions, Features};
use pelton_compiler::kernel::{KernelTable, Precision};
use pelton_compiler::plan::{Keep, Plan, PlanOptions, plan};

/// What evaluates a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The fastest that this machine has.
    #[default]
    Auto,
    /// Code that Cranelift generates, alone: 128-bit vectors, on every machine. A build
    /// without the feature `jit` has none.
    Cranelift,
    /// Generated code that calls kernels for 256-bit vectors; without the feature `jit`
    /// they are called one by one.
    Wide,
    /// The plain reference, row by row in logarithms.
    Reference,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 4] = [
        Engine::Auto,
        Engine::Cranelift,
        Engine::Wide,
        Engine::Reference,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Cranelift => "cranelift",
            Engine::Wide => "wide",
            Engine::Reference => "reference",
        }
    }
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

/// Terms in a segment of compiled code: it has to fit the instruction cache.
const CODE_SEGMENT: usize = 600;

/// Terms in a segment that a kernel loops over: long enough for runs of equal sums.
const LOOP_SEGMENT: usize = 4096;

impl ModelOptions {
    /// The plan of a circuit for the engine.
    pub fn plan(&self, checked: &Checked, keep: Keep) -> Plan {
        let options = PlanOptions {
            precision: self.precision,
            keep,
            segment_terms: match (self.segment_terms, self.uses_wide()) {
                (0, _) if cfg!(not(feature = "jit")) => LOOP_SEGMENT,
                (0, true) => LOOP_SEGMENT,
                (0, false) => CODE_SEGMENT,
                (terms, _) => terms,
            },
        };
        plan(checked, &options)
    }

    /// How code is generated for the engine.
    #[cfg(feature = "jit")]
    pub fn codegen(&self) -> CodegenOptions {
        CodegenOptions {
            precision: self.precision,
            wide: self.uses_wide(),
            features: match self.baseline {
                true => Features::Baseline,
                false => Features::Detect,
            },
            threads: self.threads,
        }
    }

    /// Whether the engine has and may use kernels for 256-bit vectors.
    pub fn uses_wide(&self) -> bool {
        let has_wide = KernelTable::wide(self.precision).is_some();
        let wants_wide = matches!(self.engine, Engine::Auto | Engine::Wide);
        has_wide && wants_wide && !self.baseline
    }
}
