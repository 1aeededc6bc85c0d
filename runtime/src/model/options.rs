//! How a model is compiled.

use pelton_compiler::kernel::Precision;

/// What evaluates a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The fastest that this machine has.
    #[default]
    Auto,
    /// Code that Cranelift generates, alone: 128-bit vectors, on every machine.
    Cranelift,
    /// Generated code that calls kernels for 256-bit vectors.
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
