//! `pelton fit`

use crate::arguments::{Fit, Messages};
use crate::exit::Exit;
use crate::learning::{
    Conclusion, Saver, Setup, Tables, Watch, check_new, check_usage, check_used, resumed,
};
use crate::{Failure, interrupt};
use pelton_runtime::learn::{Learned, StopReason, Task, learn};
use std::time::Instant;

/// Learns the parameters of a circuit.
pub fn run(options: &Fit, messages: &Messages) -> Result<Exit, Failure> {
    let checkpoint = options.own.checkpoint.as_deref();
    check_usage(options.job(), checkpoint)?;
    if let (Some(path), false) = (checkpoint, options.own.resume) {
        check_new(path)?;
    }
    let setup = match Setup::of(options.job(), messages)? {
        Ok(setup) => setup,
        Err(exit) => return Ok(exit),
    };
    check_used(options.job(), checkpoint, &setup.opened.program)?;
    let learning = options.options();
    learning.check(setup.model.circuit())?;
    let tables = Tables::read(&options.splits, setup.model.circuit(), messages)?;
    let resume = match checkpoint {
        Some(path) if options.own.resume => resumed(path, options.job(), &setup, messages)?,
        _ => None,
    };
    let task = tables.task(&setup.model, &learning, resume.as_ref());
    let start = Instant::now();
    let (learned, saved) = watched(&task, options, &setup, messages)?;
    let conclusion = Conclusion {
        job: options.job(),
        setup: &setup,
        learned: &learned,
        is_density: tables.is_density,
        time: start.elapsed(),
        is_cancelled: learned.report.stop_reason == StopReason::Cancelled,
    };
    conclusion.write(|report| report, |_| Ok(()), messages)?;
    saved?;
    Ok(conclusion.exit())
}

/// Learns, shows progress and saves checkpoints. What was learned comes also if the
/// last checkpoint could not be saved.
fn watched(
    task: &Task,
    options: &Fit,
    setup: &Setup,
    messages: &Messages,
) -> Result<(Learned, Result<(), Failure>), Failure> {
    interrupt::watch()?;
    let path = options.own.checkpoint.as_deref();
    let saver = path.map(|path| Saver::new(path, setup, messages));
    let mut watch = Watch::new(task.options, saver, messages);
    let learned = learn(task, &mut watch);
    let saved = watch.finish();
    Ok((learned?, saved))
}
