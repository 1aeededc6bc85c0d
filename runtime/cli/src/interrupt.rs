//! Ctrl-C: the first asks a run to end and to keep what it has, the second ends it.

use crate::Failure;
use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// From now on the first SIGINT or SIGTERM is a wish that [`is_asked`] tells of.
///
/// To be called when there is something to keep; before that, a signal ends the
/// program at once as it ends every other.
pub fn watch() -> Result<(), Failure> {
    let handler = || {
        if IS_ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Interrupted.code().into());
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::Usage(format!("signals cannot be handled: {error}")))
}

/// Whether the run should end.
pub fn is_asked() -> bool {
    IS_ASKED.load(Ordering::SeqCst)
}
