//! What the commands share that learn from data.

mod fitting;
mod opener;
mod outputs;
mod saver;
mod setup;
mod splits;
mod summary;
mod targets;
mod watch;

pub use fitting::{FitRun, check_checkpoint};
pub use opener::DataOpener;
pub use setup::LearningSetup;
pub use splits::{SplitTables, observes_reals};
pub use summary::LearningSummary;
pub use targets::check_used;
pub use watch::{LearningMonitor, MonitoredRun, control_from_interrupt};

use crate::CommandFailure;
use crate::arguments::{LearningJob, MessageArguments};
use crate::exit::Exit;
use crate::inputs::{check_stdin, is_standard};
use crate::report;
use outputs::WrittenResults;
use pelton_runtime::learn::{Checkpoint, LearningResult};
use saver::{CheckpointSaver, check_new};
use serde_json::Value as Json;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Looks for faults that can be seen before anything is read. `checkpoint` is a
/// further file that will be written.
pub fn check_usage(job: LearningJob, checkpoint: Option<&Path>) -> Result<(), CommandFailure> {
    let which = match job.model {
        Some(_) => "the circuit and the data",
        None => "the data",
    };
    check_stdin(job.splits.paths().chain(job.model), which)?;
    if job.splits.chunk_rows.is_some() && is_read_once(&job.splits.train) {
        let name = match &job.splits.train {
            path if is_standard(path) => "standard input".to_string(),
            path => format!("`{}`", path.display()),
        };
        let message = format!(
            "{name} can be read only once, and --chunk-rows reads the training data again in every \
             epoch; give a file"
        );
        return Err(CommandFailure::Usage(message));
    }
    targets::check(job, checkpoint)
}

/// Whether this is standard input, a pipe or the like.
fn is_read_once(path: &Path) -> bool {
    let is_other = |meta: std::fs::Metadata| !meta.is_file() && !meta.is_dir();
    is_standard(path) || path.metadata().is_ok_and(is_other)
}

/// The state that a run goes on from, if there is one; what is done is told.
pub fn resumed(
    path: &Path,
    job: LearningJob,
    setup: &LearningSetup,
    messages: &MessageArguments,
) -> Result<Option<Checkpoint>, CommandFailure> {
    let checkpoint = saver::load(path, job, setup)?;
    let path = path.display();
    let note = match checkpoint {
        Some(_) => format!("resuming from `{path}`"),
        None => format!("there is no checkpoint `{path}` yet; starting from the beginning"),
    };
    report::note(&note, messages);
    Ok(checkpoint)
}

/// What is left to do when something has been learned: the results are written,
/// then told.
pub struct LearningOutcome<'a> {
    /// What was asked for.
    pub job: LearningJob<'a>,
    /// The circuit.
    pub setup: &'a LearningSetup,
    /// What was learned.
    pub learned: &'a LearningResult,
    /// Whether likelihoods are densities.
    pub is_density: bool,
    /// How long it took.
    pub time: Duration,
    /// Whether it was interrupted.
    pub is_cancelled: bool,
}

impl LearningOutcome<'_> {
    /// Writes the learned model and the report that `json` makes of the run's own,
    /// and prints the report: for programs as it is, for people after what `print`
    /// prints. All files are tried before one that cannot be written is an error.
    pub fn write(
        &self,
        json: impl Fn(Json) -> Json,
        print: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
        messages: &MessageArguments,
    ) -> Result<(), CommandFailure> {
        report::notes(&self.learned.report.notes, messages);
        if self.learned.report.epochs.is_empty() && self.is_cancelled {
            // A start drawn at random must not replace what an earlier run has learned.
            let note = "interrupted before the first epoch ended; nothing was written";
            report::note(note, messages);
            return Ok(());
        }
        let summary = LearningSummary {
            report: &self.learned.report,
            setup: self.setup,
            job: self.job,
            is_density: self.is_density,
            time: self.time,
        };
        let json = |files: &[String]| json(summary.to_json(files));
        let written = self.save(&summary, json, messages);
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        if self.job.outputs.json {
            writeln!(out, "{}", json(&written.files))?;
        } else if !messages.quiet {
            print(&mut out)?;
            summary.print(&written.files, &mut out)?;
        }
        out.flush()?;
        written.result()
    }

    /// Writes all files, the report last: it names the others.
    fn save(
        &self,
        summary: &LearningSummary,
        json: impl Fn(&[String]) -> Json,
        messages: &MessageArguments,
    ) -> WrittenResults {
        let mut written = WrittenResults::default();
        let (values, provenance) = (&self.learned.values, summary.provenance());
        written.save(self.job, self.setup, values, &provenance, messages);
        written.save_report(self.job.outputs, json);
        written
    }

    /// How the command ends.
    pub fn exit(&self) -> Exit {
        if self.is_cancelled {
            Exit::Interrupted
        } else {
            Exit::Ok
        }
    }
}
