//! Compiles circuits as the command line asks.

use crate::CommandResult;
use crate::arguments::RunningArguments;
use pelton_compiler::check::Checked;
use pelton_compiler::engine::VectorWidth;
use pelton_compiler::kernel::Precision;
use pelton_runtime::{Model, ModelOptions};
use pelton_workload::measure_peak;
use std::time::{Duration, Instant};

/// The precision asked for.
pub fn precision(running: &RunningArguments) -> Precision {
    running.precision.unwrap_or_default()
}

/// How a model is compiled.
pub fn options(running: &RunningArguments) -> ModelOptions {
    ModelOptions {
        engine: running.engine,
        precision: precision(running),
        threads: running.n_threads(),
        baseline: running.baseline,
        ..ModelOptions::default()
    }
}

/// The name of the engine that runs.
pub fn chosen(running: &RunningArguments) -> &'static str {
    let chosen = options(running).select_engine();
    chosen.map_or(running.engine.name(), |engine| engine.name())
}

/// The most multiply-adds of one core that the engine could reach, in 10^9 a second.
pub(crate) fn peak(running: &RunningArguments) -> f64 {
    let chosen = options(running).select_engine();
    let vectors = chosen.map_or(VectorWidth::Bits128, |engine| engine.vectors());
    measure_peak(vectors, precision(running))
}

/// The compiled circuit, and how long that took.
pub(crate) fn compile(
    checked: Checked,
    running: &RunningArguments,
) -> CommandResult<(Model, Duration)> {
    let options = options(running);
    let start = Instant::now();
    let model = Model::compile(checked, &options)?;
    Ok((model, start.elapsed()))
}
