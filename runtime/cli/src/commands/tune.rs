//! `pelton tune`

use crate::arguments::{MessageArguments, TuneCommand};
use crate::learning::{
    DataOpener, LearningMonitor, LearningOutcome, LearningSetup, SplitTables, check_usage,
    check_used,
};
use crate::number::shown_number;
use crate::progress::shown_time;
use crate::{CommandFailure, CommandResult, Exit, interrupt};
use pelton_grammar::diagnostic::counted;
use pelton_runtime::learn::{TuningResult, TuningTrial, tune};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

pub fn run(options: &TuneCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    check_usage(options.job(), None)?;
    if options.splits.valid.is_none() {
        let message = "a search chooses by validation; give the rows with --valid DATA";
        return Err(CommandFailure::Usage(message.to_string()));
    }
    let setup = LearningSetup::of(options.job(), &options.model, messages)?;
    check_used(options.job(), None, &setup.opened.program)?;
    let learning = options.job().options();
    for trial in options.given(&learning) {
        trial.check(setup.model.circuit())?;
    }
    let tables = SplitTables::read(
        &options.splits,
        setup.model.circuit(),
        &DataOpener::default(),
        messages,
    )?;
    let task = tables.task(&setup.model, &learning, None);
    interrupt::watch()?;
    let start = Instant::now();
    let tuned = {
        let mut watch = LearningMonitor::new(&learning, messages);
        tune(&task, &options.grid(), &mut watch)?
    };
    messages.notes(&tuned.notes);
    let conclusion = LearningOutcome {
        job: options.job(),
        setup: &setup,
        learned: &tuned.learned,
        is_density: tables.is_density,
        time: seconds(&tuned.trials[tuned.best]),
        is_cancelled: tuned.is_cancelled,
    };
    let time = start.elapsed();
    let trials = tuned.trials.iter().map(TuningTrial::to_json);
    let trials: Vec<serde_json::Value> = trials.collect();
    let to_json = |report| {
        json!({
            "trials": trials,
            "best_trial": tuned.best,
            "notes": tuned.notes,
            "report": report,
        })
    };
    conclusion.write(to_json, |out| print(&tuned, time, out), messages)
}

/// The trials, one a line; the best is marked.
fn print(tuned: &TuningResult, time: Duration, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(
        out,
        "  {:>11} {:>9} {:>8} {:>12} {:>12} {:>9} {:>6} {:>9}",
        "pseudocount", "softness", "entropy", "train", "valid", "zero rows", "epoch", "time"
    )?;
    for (at, trial) in tuned.trials.iter().enumerate() {
        let mark = if at == tuned.best { '*' } else { ' ' };
        writeln!(
            out,
            "{mark} {:>11} {:>9} {:>8} {:>12} {:>12} {:>9} {:>6} {:>9}",
            trial.point.pseudocount,
            trial.point.softness,
            trial.point.entropy,
            shown_number(trial.train.mean),
            shown_number(trial.valid.mean),
            trial.valid.n_zero,
            trial.best_epoch,
            shown_time(seconds(trial)),
        )?;
    }
    let n_trials = counted(tuned.trials.len(), "trial", "trials");
    let time = shown_time(time);
    let end = if tuned.is_cancelled {
        "; the search was interrupted, and the best so far is marked"
    } else {
        "; the best is marked"
    };
    writeln!(out, "{n_trials} in {time}{end}\n")
}

fn seconds(trial: &TuningTrial) -> Duration {
    Duration::try_from_secs_f64(trial.seconds).unwrap_or_default()
}
