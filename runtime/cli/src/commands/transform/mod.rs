//! The commands that make circuits of circuits.

mod condition;
mod marginalize;
mod mix;
mod multiply;
mod prune;
mod smooth;
mod target;

pub use condition::run as condition;
pub use marginalize::run as marginalize;
pub use mix::run as mix;
pub use multiply::run as multiply;
pub use prune::run as prune;
pub use smooth::run as smooth;

use crate::Failure;
use crate::arguments::Messages;
use crate::report;
use std::path::{Path, PathBuf};

/// Standard input can be read once.
fn check_inputs<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<(), Failure> {
    let from_stdin = paths.into_iter().filter(|path| *path == Path::new("-"));
    match from_stdin.count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Usage(
            "only one of the inputs can be read from standard input".to_string(),
        )),
    }
}

fn note_all(notes: &[String], messages: &Messages) {
    notes.iter().for_each(|note| report::note(note, messages));
}
