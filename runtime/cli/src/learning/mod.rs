//! What the commands share that learn from data.

mod fitting;
mod monitor;
mod opener;
mod outcome;
mod saver;
mod setup;
mod splits;
mod targets;

pub(crate) use fitting::{FitRun, check_checkpoint};
pub(crate) use monitor::LearningMonitor;
pub use monitor::{MonitoredRun, control_from_interrupt};
pub(crate) use opener::DataOpener;
pub(crate) use outcome::LearningOutcome;
pub(crate) use setup::LearningSetup;
pub(crate) use splits::{SplitTables, observes_reals};
pub(crate) use targets::check_used;

use crate::arguments::LearningJob;
use crate::inputs::{check_stdin, is_standard};
use crate::{CommandFailure, CommandResult};
use std::path::Path;

/// Looks for faults that can be seen before anything is read. `checkpoint` is a
/// further file that will be written.
pub(crate) fn check_usage(job: LearningJob, checkpoint: Option<&Path>) -> CommandResult<()> {
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
