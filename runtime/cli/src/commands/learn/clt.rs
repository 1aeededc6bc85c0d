//! `pelton learn clt`

use super::report::StructureReport;
use super::{Ground, Whole, fitted};
use crate::arguments::{GrowingClt, Messages};
use crate::exit::Exit;
use crate::learning::{Tables, Watch, check_checkpoint, check_usage};
use crate::{Failure, interrupt};
use pelton_runtime::learn::StopReason;
use pelton_runtime::structure::Study;
use std::time::Instant;

/// Learns Chow-Liu trees.
pub fn run(options: &GrowingClt, messages: &Messages) -> Result<Exit, Failure> {
    let job = options.job();
    check_usage(job, options.fit.checkpoint.as_deref())?;
    check_checkpoint(&options.fit)?;
    if options.own.trees > 1 && options.fit.checkpoint.is_some() {
        let message = "an ensemble is learned member by member and has no checkpoint; leave out \
                       --checkpoint";
        return Err(Failure::Usage(message.to_string()));
    }
    let ground = Ground::survey(job, messages)?;
    let learning = options.options();
    learning.check(&ground.circuit)?;
    let tables = ground.tables(job, messages)?;
    let study = ground.study(&tables);
    let (trees, start) = (options.structure(), Instant::now());
    let structure = study.clt(&trees)?;
    let time = start.elapsed();
    let choice = trees.choice.name();
    let report = StructureReport::new(&study, &structure, choice, &trees.information, time);
    if trees.n_trees > 1 {
        return ensemble(options, &tables, &study, &report, messages);
    }
    fitted(options, &tables, &structure, &report, messages)
}

fn ensemble(
    options: &GrowingClt,
    tables: &Tables,
    study: &Study,
    report: &StructureReport,
    messages: &Messages,
) -> Result<Exit, Failure> {
    interrupt::watch()?;
    let (job, learning, start) = (options.job(), options.options(), Instant::now());
    let assembled = {
        let mut watch = Watch::new(&learning, None, messages);
        study.clt_ensemble(&options.structure(), &learning, &mut watch)?
    };
    let whole = Whole {
        is_cancelled: assembled.learned.report.stop_reason == StopReason::Cancelled,
        time: start.elapsed(),
        assembled,
    };
    whole.conclude(
        (job, tables),
        |json| report.to_json(json),
        |out| report.tell(out),
        messages,
    )
}
