//! Compiles circuits as the command line asks.

use crate::Failure;
use crate::arguments::{EngineName, Running};
use pelton_compiler::check::Checked;
use pelton_compiler::kernel::peak::{Width, measure};
use pelton_compiler::kernel::{KernelTable, Precision};
use pelton_runtime::{Engine, Model, ModelOptions};
use std::time::{Duration, Instant};

/// The precision asked for.
pub fn precision(running: &Running) -> Precision {
    running.precision.map_or(Precision::F32, Precision::from)
}

/// How a model is compiled.
pub fn options(running: &Running) -> ModelOptions {
    ModelOptions {
        engine: match running.engine {
            EngineName::Auto => Engine::Auto,
            EngineName::Cranelift => Engine::Cranelift,
            EngineName::Wide => Engine::Wide,
            EngineName::Reference => Engine::Reference,
        },
        precision: precision(running),
        threads: running.n_threads(),
        baseline: running.baseline,
        ..ModelOptions::default()
    }
}

/// The engine that runs where `engine` is asked for.
pub fn chosen(engine: Engine) -> Engine {
    match engine {
        Engine::Auto if has_wide() => Engine::Wide,
        Engine::Auto => Engine::Cranelift,
        engine => engine,
    }
}

/// The most multiply-adds of one core that the engine could reach, in 10^9 a second.
pub fn peak(running: &Running) -> f64 {
    let width = match chosen(options(running).engine) {
        Engine::Wide => Width::Bits256,
        _ => Width::Bits128,
    };
    measure(width, precision(running))
}

/// Whether the CPU has 256-bit vectors that the kernels can use.
pub fn has_wide() -> bool {
    KernelTable::wide(Precision::F32).is_some()
}

/// The compiled circuit, and how long that took.
pub fn compile(checked: Checked, running: &Running) -> Result<(Model, Duration), Failure> {
    let options = options(running);
    let start = Instant::now();
    let model =
        Model::compile(checked, &options).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok((model, start.elapsed()))
}
