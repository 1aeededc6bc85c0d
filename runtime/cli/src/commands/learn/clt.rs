//! `pelton learn clt`

use super::Ground;
use super::report::StructureReport;
use crate::arguments::{GrowingClt, Messages};
use crate::exit::Exit;
use crate::learning::{Conclusion, Fitting, Setup, Tables, Watch, check_checkpoint, check_usage};
use crate::{Failure, interrupt};
use pelton_runtime::learn::{StopReason, score};
use pelton_runtime::structure::{Structure, Study};
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
    single(options, &tables, &structure, &report, messages)
}

fn single(
    options: &GrowingClt,
    tables: &Tables,
    structure: &Structure,
    report: &StructureReport,
    messages: &Messages,
) -> Result<Exit, Failure> {
    let job = options.job();
    let setup = Setup::of_text(job, &structure.source, messages)?;
    let fitting = Fitting {
        job,
        fit: &options.fit,
        learning: &options.options(),
        setup: &setup,
        tables,
    };
    fitting.run(
        |json| report.to_json(json),
        |out| report.tell(out),
        messages,
    )
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
    let setup = Setup::of_text(job, &assembled.source, messages)?;
    let mut learned = assembled.learned;
    if let Some(test) = tables.test() {
        let scored = score(&setup.model, &learned.values, &test, learning.threads)?;
        learned.report.test = Some(scored);
    }
    let conclusion = Conclusion {
        job,
        setup: &setup,
        learned: &learned,
        is_density: tables.is_density,
        time: start.elapsed(),
        is_cancelled: learned.report.stop_reason == StopReason::Cancelled,
    };
    conclusion.write(
        |json| report.to_json(json),
        |out| report.tell(out),
        messages,
    )?;
    Ok(conclusion.exit())
}
