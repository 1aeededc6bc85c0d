//! `pelton learn hclt`

use super::Ground;
use super::report::StructureReport;
use crate::arguments::{GrowingHclt, Messages};
use crate::exit::Exit;
use crate::learning::{
    Conclusion, Fitting, SearchWatch, Setup, Tables, check_checkpoint, check_usage,
};
use crate::number::shown_number;
use crate::progress::shown_time;
use crate::{Failure, interrupt};
use pelton_grammar::diagnostic::counted;
use pelton_runtime::learn::score;
use pelton_runtime::structure::{Found, SearchOptions, SearchTrial, Study, search};
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
    let (job, start) = (options.job(), Instant::now());
    let hclt = options.structure();
    let structure = study.hclt(&hclt)?;
    let time = start.elapsed();
    let choice = hclt.trees.choice.name();
    let report = StructureReport::new(study, &structure, choice, &hclt.trees.information, time);
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
        let mut watch = SearchWatch::new(&wanted.learning, messages);
        search(study, wanted, &mut watch)?
    };
    let setup = Setup::of_text(job, &found.assembled.source, messages)?;
    let mut learned = found.assembled.learned.clone();
    if let Some(test) = tables.test() {
        let threads = wanted.learning.threads;
        learned.report.test = Some(score(&setup.model, &learned.values, &test, threads)?);
    }
    let time = start.elapsed();
    let conclusion = Conclusion {
        job,
        setup: &setup,
        learned: &learned,
        is_density: tables.is_density,
        time,
        is_cancelled: found.is_cancelled,
    };
    let to_json = |report| with_trials(report, &found, wanted);
    conclusion.write(to_json, |out| tell(&found, time, out), messages)?;
    Ok(conclusion.exit())
}

fn with_trials(mut report: Json, found: &Found, wanted: &SearchOptions) -> Json {
    let trials = found.trials.iter().map(SearchTrial::to_json);
    report["trials"] = trials.collect();
    report["budget_seconds"] = json!(wanted.budget.as_secs_f64());
    report["structure"] = json!({ "kind": "hclt" });
    report
}

/// The trials, one a line.
fn tell(found: &Found, time: Duration, out: &mut dyn Write) -> std::io::Result<()> {
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
    for trial in &found.trials {
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
    let n_members = found
        .trials
        .iter()
        .filter(|trial| trial.weight > 0.0)
        .count();
    let (trials, members) = (
        counted(found.trials.len(), "trial", "trials"),
        counted(n_members, "of them is", "of them are"),
    );
    let end = if found.is_cancelled {
        "; the search was interrupted"
    } else {
        ""
    };
    let time = shown_time(time);
    writeln!(out, "{trials} in {time}; {members} in the ensemble{end}\n")
}
