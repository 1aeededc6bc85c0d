//! `pelton learn`

mod clt;
mod hclt;
mod report;

use crate::arguments::{Growing, Job, LearnKind, Messages};
use crate::exit::Exit;
use crate::flags::flags;
use crate::learning::{Conclusion, Fitting, Opener, Setup, Tables};
use crate::{Failure, engine, report::note};
use pelton_compiler::circuit::Circuit;
use pelton_runtime::ModelOptions;
use pelton_runtime::data::{Schema, SchemaLimits, schema};
use pelton_runtime::learn::score;
use pelton_runtime::structure::{Assembled, Sample, Structure, Study};
use report::StructureReport;
use serde_json::Value as Json;
use std::io::Write;
use std::time::Duration;

/// Learns a circuit from data.
pub fn run(kind: &LearnKind, messages: &Messages) -> Result<Exit, Failure> {
    match kind {
        LearnKind::Clt(options) => clt::run(options, messages),
        LearnKind::Hclt(options) => hclt::run(options, messages),
    }
}

/// What the columns of the data are.
struct Ground {
    opener: Opener,
    schema: Schema,
    /// A circuit over the columns, with which rows are read.
    circuit: Circuit,
    model: ModelOptions,
}

impl Ground {
    /// Looks at the training data and, for values that occur only there, at the
    /// validation data.
    fn survey(job: Job, messages: &Messages) -> Result<Self, Failure> {
        if job.splits.chunk_rows.is_some() {
            let message = "a structure is learned from rows in memory; leave out --chunk-rows";
            return Err(Failure::Usage(message.to_string()));
        }
        let opener = Opener::keeping(job.splits.paths())?;
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
            return Err(Failure::Unfit(message));
        }
        Ok(Ground {
            opener,
            circuit: found.schema.circuit(),
            schema: found.schema,
            model: engine::options(job.running),
        })
    }

    fn tables(&self, job: Job, messages: &Messages) -> Result<Tables<'_>, Failure> {
        Tables::read(job.splits, &self.circuit, &self.opener, messages)
    }

    fn study<'a>(&'a self, tables: &'a Tables) -> Study<'a> {
        let train: Sample = tables
            .train_sample()
            .expect("rows in chunks were refused above");
        Study {
            schema: &self.schema,
            train,
            valid: tables.valid_sample(),
            model: &self.model,
        }
    }
}

/// Learns the parameters of a structure as `pelton fit` does.
fn fitted<Own: clap::Args>(
    options: &Growing<Own>,
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

/// A circuit that was put together of what was learned apart.
struct Whole {
    assembled: Assembled,
    time: Duration,
    is_cancelled: bool,
}

impl Whole {
    /// Looks at the test rows, now that all is decided, and writes and tells the
    /// results; `json` and `tell` are those of [`Conclusion::write`].
    fn conclude(
        self,
        (job, tables): (Job, &Tables),
        json: impl Fn(Json) -> Json,
        tell: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
        messages: &Messages,
    ) -> Result<Exit, Failure> {
        let setup = Setup::of_text(job, &self.assembled.source, messages)?;
        let mut learned = self.assembled.learned;
        if let Some(test) = tables.test() {
            let threads = learned.report.options.threads;
            learned.report.test = Some(score(&setup.model, &learned.values, &test, threads)?);
        }
        let conclusion = Conclusion {
            job,
            setup: &setup,
            learned: &learned,
            is_density: tables.is_density,
            time: self.time,
            is_cancelled: self.is_cancelled,
        };
        conclusion.write(json, tell, messages)?;
        Ok(conclusion.exit())
    }
}
