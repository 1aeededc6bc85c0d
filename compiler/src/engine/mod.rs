//! Engines: what turns a plan into something that runs.
//!
//! An [`ExecutionEngine`] takes a plan and gives an [`ExecutablePlan`]. The table at the
//! end of this file lists all engines. Whatever chooses among them or names them reads it:
//! the command line with its help, the bindings, messages, and the tests, which run one
//! suite on every engine that is listed.
//!
//! To add an engine, write a module beside `portable` and a line of the table.

mod cranelift;
mod error;
mod portable;
mod reference;
mod wide;

pub use error::EngineError;
pub use portable::fallback;

use crate::kernel::{ExecutablePlan, KernelPass, KernelTable, Precision};
use crate::plan::{Plan, RowRetention};
use std::fmt::Debug;
use std::sync::Arc;

/// What every engine is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineOptions {
    /// The number type of values.
    pub precision: Precision,
    /// Whether it may use no more than every CPU of its kind has.
    pub baseline: bool,
    /// Threads that compile; 0 takes as many as there are cores.
    pub threads: usize,
}

/// How wide vectors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorWidth {
    /// What every x86-64 and aarch64 CPU has.
    Bits128,
    /// AVX2.
    Bits256,
}

/// Executes plans in one way.
///
/// Its numbers are those of the reference within the bounds that the precision allows.
pub trait ExecutionEngine: Debug + Sync {
    /// What people call it.
    fn name(&self) -> &'static str;

    /// What it is, for lists of engines: a sentence.
    fn about(&self) -> &'static str;

    /// Of the engines that run, the one that comes first by itself has the largest; engines
    /// with 0 are used only where they are asked for.
    fn preference(&self) -> u8 {
        0
    }

    /// Whether it runs in this build, on this machine, with these options; else what it
    /// needs, to be read after "the engine needs".
    fn available(&self, options: &EngineOptions) -> Result<(), &'static str>;

    /// Makes a plan executable. It is known that the engine is available; passes that are
    /// named here need no time when they are first run.
    fn prepare(
        &self,
        plan: Arc<Plan>,
        options: &EngineOptions,
        passes: &[KernelPass],
    ) -> Result<ExecutablePlan, EngineError>;

    /// Kernels in Rust that it calls for operations, if it does.
    fn kernels(&self, _options: &EngineOptions) -> Option<KernelTable> {
        None
    }

    /// Terms in a segment of sparse sums. Generated code has to fit the instruction cache.
    fn segment_terms(&self) -> usize {
        CODE_SEGMENT
    }

    /// What plans of flows keep: generated code has a row of derivatives for each row of
    /// values, kernels find those that are used anew.
    fn flows_keep(&self) -> RowRetention {
        RowRetention::All
    }

    /// Whether every row is answered by the reference in logarithms instead.
    fn is_reference(&self) -> bool {
        false
    }

    /// The vectors that it computes with.
    fn vectors(&self) -> VectorWidth {
        VectorWidth::Bits128
    }
}

/// Terms in a segment of compiled code: it has to fit the instruction cache.
const CODE_SEGMENT: usize = 600;

/// Terms in a segment that a kernel loops over: long enough for runs of equal sums.
const LOOP_SEGMENT: usize = 4096;

/// Makes the table of engines, and the type by which they are chosen.
macro_rules! engines {
    ($($choice:ident => $engine:expr,)+) => {
        /// What evaluates a model: an engine of the table, or whichever is the fastest.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Engine {
            /// The fastest that this machine has.
            #[default]
            Auto,
            $(#[doc = concat!("[`ExecutionEngine`] of the table: `", stringify!($engine), "`.")]
            $choice,)+
        }

        impl Engine {
            /// All choices. Positions are the numbers of C and stay as they are.
            pub const ALL: &[Engine] = &[Engine::Auto, $(Engine::$choice),+];
        }

        /// All engines, in the order of [`Engine::ALL`] without its first.
        pub static ENGINES: &[&dyn ExecutionEngine] = &[$(&$engine),+];
    };
}

impl Engine {
    /// The engine of that name.
    pub fn named(name: &str) -> Option<Engine> {
        Engine::ALL.iter().copied().find(|own| own.name() == name)
    }

    /// Its name everywhere: on the command line, in Python, in reports.
    pub fn name(self) -> &'static str {
        self.listed().map_or("auto", |engine| engine.name())
    }

    /// What it is, in a sentence.
    pub fn about(self) -> &'static str {
        let auto = "The fastest that this machine has";
        self.listed().map_or(auto, |engine| engine.about())
    }

    /// Whether it runs here, with these options.
    pub fn available(self, options: &EngineOptions) -> Result<(), EngineError> {
        self.select(options).map(|_| ())
    }

    /// The engine that is meant, if it runs here.
    pub fn select(
        self,
        options: &EngineOptions,
    ) -> Result<&'static dyn ExecutionEngine, EngineError> {
        let Some(engine) = self.listed() else {
            return Ok(fastest(options));
        };
        match engine.available(options) {
            Ok(()) => Ok(engine),
            Err(needs) => Err(EngineError::Unavailable {
                engine: engine.name(),
                needs,
            }),
        }
    }

    /// The line of the table; none for the choice that is left open.
    fn listed(self) -> Option<&'static dyn ExecutionEngine> {
        ENGINES.get((self as usize).checked_sub(1)?).copied()
    }
}

/// The fastest engine that runs; kernels for any CPU where no listed one does.
fn fastest(options: &EngineOptions) -> &'static dyn ExecutionEngine {
    let by_itself = ENGINES.iter().filter(|engine| engine.preference() > 0);
    let runs = by_itself.filter(|engine| engine.available(options).is_ok());
    let best = runs.max_by_key(|engine| engine.preference());
    best.copied().unwrap_or(&portable::PortableEngine)
}

engines! {
    Cranelift => cranelift::CraneliftEngine,
    Wide => wide::WideEngine,
    Reference => reference::ReferenceEngine,
}

#[cfg(test)]
mod tests;
