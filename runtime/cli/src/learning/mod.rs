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

pub use fitting::{Fitting, check_checkpoint};
pub use opener::Opener;
pub use setup::Setup;
pub use splits::{Tables, observes_reals};
pub use summary::Summary;
pub use targets::check_used;
pub use watch::{Run, Watch, control_from_interrupt};

use crate::Failure;
use crate::arguments::{Job, Messages};
use crate::exit::Exit;
use crate::report;
use outputs::Written;
use pelton_runtime::learn::{Checkpoint, Learned};
use saver::{Saver, check_new};
use serde_json::Value as Json;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Looks for faults that can be seen before anything is read. `checkpoint` is a
/// further file that will be written.
pub fn check_usage(job: Job, checkpoint: Option<&Path>) -> Result<(), Failure> {
    let stdin = Path::new("-");
    let inputs = job.splits.paths().chain(job.model);
    if inputs.filter(|path| *path == stdin).count() > 1 {
        let message = match job.model {
            Some(_) => "only one of the circuit and the data can be read from standard input",
            None => "only one of the data can be read from standard input",
        };
        return Err(Failure::Usage(message.to_string()));
    }
    if job.splits.chunk_rows.is_some() && is_read_once(&job.splits.train) {
        let name = match &job.splits.train {
            path if path == stdin => "standard input".to_string(),
            path => format!("`{}`", path.display()),
        };
        let message = format!(
            "{name} can be read only once, and --chunk-rows reads the training data again in every \
             epoch; give a file"
        );
        return Err(Failure::Usage(message));
    }
    targets::check(job, checkpoint)
}

/// Whether this is standard input, a pipe or the like.
fn is_read_once(path: &Path) -> bool {
    let is_other = |meta: std::fs::Metadata| !meta.is_file() && !meta.is_dir();
    path == Path::new("-") || path.metadata().is_ok_and(is_other)
}

/// The state that a run goes on from, if there is one; what is done is told.
pub fn resumed(
    path: &Path,
    job: Job,
    setup: &Setup,
    messages: &Messages,
) -> Result<Option<Checkpoint>, Failure> {
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
pub struct Conclusion<'a> {
    /// What was asked for.
    pub job: Job<'a>,
    /// The circuit.
    pub setup: &'a Setup,
    /// What was learned.
    pub learned: &'a Learned,
    /// Whether likelihoods are densities.
    pub is_density: bool,
    /// How long it took.
    pub time: Duration,
    /// Whether it was interrupted.
    pub is_cancelled: bool,
}

impl Conclusion<'_> {
    /// Writes the learned model and the report that `json` makes of the run's own,
    /// and prints the report: for programs as it is, for people after what `print`
    /// prints. All files are tried before one that cannot be written is an error.
    pub fn write(
        &self,
        json: impl Fn(Json) -> Json,
        print: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
        messages: &Messages,
    ) -> Result<(), Failure> {
        for note in &self.learned.report.notes {
            report::note(note, messages);
        }
        if self.learned.report.epochs.is_empty() && self.is_cancelled {
            // A start drawn at random must not replace what an earlier run has learned.
            let note = "interrupted before the first epoch ended; nothing was written";
            report::note(note, messages);
            return Ok(());
        }
        let summary = Summary {
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
        summary: &Summary,
        json: impl Fn(&[String]) -> Json,
        messages: &Messages,
    ) -> Written {
        let mut written = Written::default();
        let (values, provenance) = (&self.learned.values, summary.provenance());
        written.save(self.job, self.setup, values, &provenance, messages);
        written.save_report(self.job.outputs, json);
        written
    }

    /// How the command ends.
    pub fn exit(&self) -> Exit {
        match self.is_cancelled {
            true => Exit::Interrupted,
            false => Exit::Ok,
        }
    }
}
