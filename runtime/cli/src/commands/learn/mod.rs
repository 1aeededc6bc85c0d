//! `pelton learn`

mod report;

use crate::arguments::{LearnCommand, LearningJob, MessageArguments};
use crate::exit::Exit;
use crate::flags::flags;
use crate::learning::{
    DataOpener, FitRun, LearningMonitor, LearningOutcome, LearningSetup, SplitTables,
    check_checkpoint, check_usage,
};
use crate::{CommandFailure, engine, interrupt, report::note};
use pelton_compiler::circuit::CircuitGraph;
use pelton_runtime::ModelOptions;
use pelton_runtime::data::{Schema, SchemaLimits, schema};
use pelton_runtime::learn::{LearningResult, score};
use pelton_runtime::structure::{LearnedStructure, StructureTask, WeightedSample};
use std::time::{Duration, Instant};

/// Learns a circuit from data.
pub fn run(options: &LearnCommand, messages: &MessageArguments) -> Result<Exit, CommandFailure> {
    let job = options.job();
    check_usage(job, options.fit.checkpoint.as_deref())?;
    check_checkpoint(&options.fit)?;
    let learner = (options.learner.make)(&options.settings);
    if learner.learns_parameters() && options.fit.checkpoint.is_some() {
        let message = "an ensemble is learned member by member and has no checkpoint; leave out \
                       --checkpoint";
        return Err(CommandFailure::Usage(message.to_string()));
    }
    let data = SurveyedData::read(job, messages)?;
    options.options().check(&data.circuit)?;
    let tables = SplitTables::read(job.splits, &data.circuit, &data.opener, messages)?;
    let study = data.study(&tables);
    if learner.learns_parameters() {
        interrupt::watch()?;
    }
    let start = Instant::now();
    let mut structure = {
        let learning = options.options_for(&*learner);
        let mut watch = LearningMonitor::new(&learning, messages);
        learner.learn(&study, &learning, &mut watch)?
    };
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
    fn read(job: LearningJob, messages: &MessageArguments) -> Result<Self, CommandFailure> {
        if job.splits.chunk_rows.is_some() {
            let message = "a structure is learned from rows in memory; leave out --chunk-rows";
            return Err(CommandFailure::Usage(message.to_string()));
        }
        let opener = DataOpener::keeping(job.splits.paths())?;
        let mut sources = vec![opener.open(&job.splits.train)?];
        if let Some(valid) = &job.splits.valid {
            sources.push(opener.open(valid)?);
        }
        let options = job.splits.read_options();
        let found = schema(sources, &options, &SchemaLimits::default())?;
        for text in &found.notes {
            note(&text.worded(flags), messages);
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
) -> Result<Exit, CommandFailure> {
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
        |out| report::print(structure, Duration::ZERO, out),
        messages,
    )
}

/// Looks at the test rows, now that all is decided, and writes and prints the results.
fn concluded(
    options: &LearnCommand,
    tables: &SplitTables,
    (structure, mut learned, time): (LearnedStructure, LearningResult, Duration),
    messages: &MessageArguments,
) -> Result<Exit, CommandFailure> {
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
        |out| report::print(&structure, time, out),
        messages,
    )?;
    Ok(conclusion.exit())
}
