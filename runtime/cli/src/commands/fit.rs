//! `pelton fit`

use crate::arguments::{FitCommand, MessageArguments};
use crate::learning::{
    DataOpener, FitRun, LearningSetup, SplitTables, check_checkpoint, check_usage, check_used,
};
use crate::{CommandResult, Exit};

pub fn run(options: &FitCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let (job, checkpoint) = (options.job(), options.own.checkpoint.as_deref());
    check_usage(job, checkpoint)?;
    check_checkpoint(&options.own)?;
    let setup = LearningSetup::of(job, &options.model, messages)?;
    check_used(job, checkpoint, &setup.opened.program)?;
    let learning = options.options();
    learning.check(setup.model.circuit())?;
    let opener = DataOpener::default();
    let tables = SplitTables::read(&options.splits, setup.model.circuit(), &opener, messages)?;
    let fitting = FitRun {
        job,
        fit: &options.own,
        learning: &learning,
        setup: &setup,
        tables: &tables,
    };
    fitting.run(|report| report, |_| Ok(()), messages)
}
