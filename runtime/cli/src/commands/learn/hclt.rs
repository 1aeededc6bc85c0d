//! `pelton learn hclt`

use super::report::StructureReport;
use super::{Ground, Whole, fitted};
use crate::arguments::{GrowingHclt, Messages};
use crate::exit::Exit;
use crate::learning::{Tables, TrialWatch, check_checkpoint, check_usage};
use crate::number::shown_number;
use crate::progress::shown_time;
use crate::{Failure, interrupt};
use pelton_grammar::diagnostic::counted;
use pelton_runtime::structure::{SearchOptions, SearchTrial, Study, search};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Learns hidden Chow-Liu trees.
pub fn run(options: &GrowingHclt, messages: &Messages) -> Result<Exit, Failure> {
    let job = options.job();
    check_usage(job, options.fit.checkpoint.as_deref())?;
    check_checkpoint(&options.fit)?;
    let ground = Ground::survey(job, messages)?;
    options.options().check(&ground.circuit)?;
    let tables = ground.tables(job, messages)?;
    let study = ground.study(&tables);
    match options.search() {
        Some(search) => searched(options, &search, &tables, &study, messages),
        None => single(options, &tables, &study, messages),
    }
}

fn single(
    options: &GrowingHclt,
    tables: &Tables,
    study: &Study,
    messages: &Messages,
) -> Result<Exit, Failure> {
    let (hclt, start) = (options.structure(), Instant::now());
    let structure = study.hclt(&hclt)?;
    let time = start.elapsed();
    let choice = hclt.trees.choice.name();
    let report = StructureReport::new(study, &structure, choice, &hclt.trees.information, time);
    fitted(options, tables, &structure, &report, messages)
}

fn searched(
    options: &GrowingHclt,
    wanted: &SearchOptions,
    tables: &Tables,
    study: &Study,
    messages: &Messages,
) -> Result<Exit, Failure> {
    interrupt::watch()?;
    let (job, start) = (options.job(), Instant::now());
    let found = {
        let mut watch = TrialWatch::new(&wanted.learning, messages);
        search(study, wanted, &mut watch)?
    };
    let time = start.elapsed();
    let (trials, refinement) = (found.trials, found.refinement);
    let is_cancelled = found.is_cancelled;
    let whole = Whole {
        assembled: found.assembled,
        time,
        is_cancelled,
    };
    whole.conclude(
        (job, tables),
        |report| {
            let mut report = with_trials(report, &trials, wanted);
            report["refinement"] = refinement.to_json();
            report
        },
        |out| tell(&trials, time, is_cancelled, out),
        messages,
    )
}

fn with_trials(mut report: Json, trials: &[SearchTrial], wanted: &SearchOptions) -> Json {
    let trials = trials.iter().map(SearchTrial::to_json);
    report["trials"] = trials.collect();
    report["budget_seconds"] = json!(wanted.budget.as_secs_f64());
    report["structure"] = json!({ "kind": "hclt" });
    report
}

/// The trials, one a line.
fn tell(
    trials: &[SearchTrial],
    time: Duration,
    is_cancelled: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    writeln!(
        out,
        "{:>5} {:>6} {:>7} {:>11} {:>9} {:>8} {:>12} {:>12} {:>9} {:>7}",
        "trees",
        "hidden",
        "start",
        "pseudocount",
        "softness",
        "entropy",
        "train",
        "valid",
        "time",
        "weight"
    )?;
    for trial in trials {
        let recipe = &trial.recipe;
        writeln!(
            out,
            "{:>5} {:>6} {:>7} {:>11} {:>9} {:>8} {:>12} {:>12} {:>9} {:>7.3}",
            recipe.n_trees,
            recipe.n_states,
            recipe.start.name(),
            recipe.pseudocount,
            recipe.softness,
            recipe.entropy,
            shown_number(trial.train.mean),
            shown_number(trial.valid.mean),
            shown_time(Duration::try_from_secs_f64(trial.seconds).unwrap_or_default()),
            trial.weight,
        )?;
    }
    let n_members = trials.iter().filter(|trial| trial.weight > 0.0).count();
    let (n_trials, members) = (
        counted(trials.len(), "trial", "trials"),
        counted(n_members, "of them is", "of them are"),
    );
    let end = if is_cancelled {
        "; the search was interrupted"
    } else {
        ""
    };
    let time = shown_time(time);
    writeln!(
        out,
        "{n_trials} in {time}; {members} in the ensemble{end}\n"
    )
}
