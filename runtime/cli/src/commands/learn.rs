//! `pelton learn`

use crate::arguments::{LearnCommand, LearningJob, MessageArguments, read_options};
use crate::flags::flags;
use crate::learning::{
    DataOpener, FitRun, LearningMonitor, LearningOutcome, LearningSetup, SplitTables,
    check_checkpoint, check_usage,
};
use crate::number::shown_number;
use crate::progress::shown_time;
use crate::{CommandFailure, CommandResult, Exit, engine, interrupt};
use pelton_compiler::circuit::CircuitGraph;
use pelton_grammar::diagnostic::counted;
use pelton_runtime::ModelOptions;
use pelton_runtime::data::{Schema, SchemaLimits, schema};
use pelton_runtime::learn::{LearningResult, score};
use pelton_runtime::structure::{LearnedStructure, SearchTrial, StructureTask, WeightedSample};
use serde_json::Value as Json;
use std::io::Write;
use std::time::{Duration, Instant};

pub fn run(options: &LearnCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let job = options.job();
    check_usage(job, options.fit.checkpoint.as_deref())?;
    check_checkpoint(&options.fit)?;
    let learner = (options.learner.make)(&options.settings);
    if learner.learns_parameters() && options.fit.checkpoint.is_some() {
        let message = "an ensemble is learned member by member and has no checkpoint; leave out \
                       --checkpoint";
        return Err(CommandFailure::Usage(message.to_string()));
    }
    // 1. What the columns are; rows are read by a circuit over them.
    let data = SurveyedData::read(job, messages)?;
    options.options().check(&data.circuit)?;
    let tables = SplitTables::read(job.splits, &data.circuit, &data.opener, messages)?;
    let study = data.study(&tables);
    if learner.learns_parameters() {
        interrupt::watch()?;
    }
    let start = Instant::now();
    // 2. The structure, in some learners with its parameters.
    let mut structure = {
        let learning = options.options_for(&*learner);
        let mut watch = LearningMonitor::new(&learning, messages);
        learner.learn(&study, &learning, &mut watch)?
    };
    // 3. Parameters, where the learner has not chosen them, and results.
    match structure.learned.take() {
        Some(learned) => {
            let found = (structure, learned, start.elapsed());
            concluded(options, &tables, found, messages)
        }
        None => fitted(options, &tables, &structure, messages),
    }
}

/// What the columns of the data are.
struct SurveyedData {
    opener: DataOpener,
    schema: Schema,
    /// A circuit over the columns, with which rows are read.
    circuit: CircuitGraph,
    model: ModelOptions,
}

impl SurveyedData {
    /// Looks at the training data and, for values that occur only there, at the
    /// validation data.
    fn read(job: LearningJob, messages: &MessageArguments) -> CommandResult<Self> {
        if job.splits.chunk_rows.is_some() {
            let message = "a structure is learned from rows in memory; leave out --chunk-rows";
            return Err(CommandFailure::Usage(message.to_string()));
        }
        let opener = DataOpener::keeping(job.splits.paths())?;
        let mut sources = vec![opener.open(&job.splits.train)?];
        if let Some(valid) = &job.splits.valid {
            sources.push(opener.open(valid)?);
        }
        let options = read_options(job.splits.header, job.splits.weight_column.as_deref());
        let found = schema(sources, &options, &SchemaLimits::default())?;
        for text in &found.notes {
            messages.note(text.worded(flags));
        }
        if found.schema.columns.is_empty() {
            let message = "there is no column to learn from".to_string();
            return Err(CommandFailure::Unfit(message));
        }
        Ok(SurveyedData {
            opener,
            circuit: found.schema.circuit(),
            schema: found.schema,
            model: engine::options(job.running),
        })
    }

    fn study<'a>(&'a self, tables: &'a SplitTables) -> StructureTask<'a> {
        let train: WeightedSample = tables
            .train_sample()
            .expect("rows in chunks were refused above");
        StructureTask {
            schema: &self.schema,
            train,
            valid: tables.valid_sample(),
            model: &self.model,
        }
    }
}

/// Learns the parameters of a structure as `pelton fit` does.
fn fitted(
    options: &LearnCommand,
    tables: &SplitTables,
    structure: &LearnedStructure,
    messages: &MessageArguments,
) -> CommandResult<Exit> {
    let job = options.job();
    let setup = LearningSetup::of_text(job, &structure.source, messages)?;
    let fitting = FitRun {
        job,
        fit: &options.fit,
        learning: &options.options(),
        setup: &setup,
        tables,
    };
    fitting.run(
        |json| structure.report.to_json(options.learner.name, json),
        |out| print(structure, Duration::ZERO, out),
        messages,
    )
}

/// Looks at the test rows, now that all is decided, and writes and prints the results.
fn concluded(
    options: &LearnCommand,
    tables: &SplitTables,
    (structure, mut learned, time): (LearnedStructure, LearningResult, Duration),
    messages: &MessageArguments,
) -> CommandResult<Exit> {
    let job = options.job();
    let setup = LearningSetup::of_text(job, &structure.source, messages)?;
    if let Some(test) = tables.test() {
        let threads = learned.report.options.threads;
        learned.report.test = Some(score(&setup.model, &learned.values, &test, threads)?);
    }
    let conclusion = LearningOutcome {
        job,
        setup: &setup,
        learned: &learned,
        is_density: tables.is_density,
        time,
        is_cancelled: structure.is_cancelled,
    };
    conclusion.write(
        |json| structure.report.to_json(options.learner.name, json),
        |out| print(&structure, time, out),
        messages,
    )
}

/// Prints what is known of a structure that was found, with its parameters, in this time.
fn print(structure: &LearnedStructure, time: Duration, out: &mut dyn Write) -> std::io::Result<()> {
    let report = &structure.report;
    let Some(search) = &report.search else {
        let time = shown_time(report.time);
        return writeln!(out, "{}, found in {time}\n", report.summary);
    };
    print_trials(&search.trials, out)?;
    let members = search.trials.iter().filter(|trial| trial.weight > 0.0);
    let (n_trials, members, time) = (
        counted(search.trials.len(), "trial", "trials"),
        counted(members.count(), "of them is", "of them are"),
        shown_time(time),
    );
    let end = if structure.is_cancelled {
        "; the search was interrupted"
    } else {
        ""
    };
    writeln!(
        out,
        "{n_trials} in {time}; {members} in the ensemble{end}\n"
    )
}

/// A table with a line for each trial.
fn print_trials(trials: &[SearchTrial], out: &mut dyn Write) -> std::io::Result<()> {
    let mut lines: Vec<Vec<(&str, String)>> = trials.iter().map(cells).collect();
    let names = lines.first().into_iter().flatten();
    let header = names.map(|(name, _)| (*name, name.to_string())).collect();
    lines.insert(0, header);
    let width = |at: usize| lines.iter().map(|line| line[at].1.len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    for line in &lines {
        let cells = line.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|((_, cell), width)| format!("{cell:>width$}"))
            .collect();
        writeln!(out, "{}", cells.join("  "))?;
    }
    Ok(())
}

/// What a line of the table shows, under which names.
fn cells(trial: &SearchTrial) -> Vec<(&'static str, String)> {
    let choices = trial.choices.iter().filter(|(name, _)| *name != "seed");
    let shown = |value: &Json| value.as_str().map_or(value.to_string(), str::to_string);
    let mut cells: Vec<_> = choices.map(|(name, value)| (*name, shown(value))).collect();
    let time = Duration::try_from_secs_f64(trial.seconds).unwrap_or_default();
    cells.extend([
        ("train", shown_number(trial.train.mean)),
        ("valid", shown_number(trial.valid.mean)),
        ("time", shown_time(time)),
        ("weight", format!("{:.3}", trial.weight)),
    ]);
    cells
}
