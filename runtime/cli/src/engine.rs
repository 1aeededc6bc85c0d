//! Compiles circuits as the command line asks.

use crate::Failure;
use crate::arguments::{EngineName, Running};
use crate::placeholder::{Engine, Model, ModelOptions};
use pelton_compiler::check::Checked;
use pelton_compiler::kernel::Precision;
use std::time::{Duration, Instant};

/// The precision asked for.
pub fn precision(running: &Running) -> Precision {
    running.precision.into()
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
    }
}

/// The compiled circuit, and how long that took.
pub fn compile(checked: Checked, running: &Running) -> Result<(Model, Duration), Failure> {
    let start = Instant::now();
    let model = Model::compile(checked, &options(running));
    let model = model
        .map_err(|error| Failure::Usage(format!("the circuit cannot be compiled: {error}")))?;
    Ok((model, start.elapsed()))
}
