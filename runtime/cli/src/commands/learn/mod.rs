//! `pelton learn`

mod clt;
mod hclt;
mod report;

use crate::arguments::{Job, LearnKind, Messages};
use crate::exit::Exit;
use crate::learning::{Opener, Tables};
use crate::{Failure, engine, report::note};
use pelton_compiler::circuit::Circuit;
use pelton_runtime::ModelOptions;
use pelton_runtime::data::{Schema, SchemaLimits, schema};
use pelton_runtime::structure::{Sample, Study};

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
            note(text, messages);
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
