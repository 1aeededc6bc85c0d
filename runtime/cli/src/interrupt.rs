//! Ctrl-C: the first asks a run to end and to keep what it has, the second ends it.

use crate::{CommandFailure, CommandResult, Exit};
use pelton_runtime::store::remove_temporaries;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_WATCHED: AtomicBool = AtomicBool::new(false);
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// From now on the first SIGINT or SIGTERM asks for an end, as [`is_asked`] says.
///
/// To be called when there is something to keep; before that, a signal ends the
/// program at once.
pub fn watch() -> CommandResult<()> {
    IS_WATCHED.store(true, Ordering::SeqCst);
    clean_up()
}

/// From now on a signal that ends the program leaves no temporary files behind.
///
/// To be called before there are any; before that, a signal ends the program as it ends
/// every other.
pub fn clean_up() -> CommandResult<()> {
    static HANDLER: OnceLock<Result<(), String>> = OnceLock::new();
    let set = HANDLER.get_or_init(|| {
        let set = ctrlc::set_handler(|| {
            let is_watched = IS_WATCHED.load(Ordering::SeqCst);
            if !is_watched || IS_ASKED.swap(true, Ordering::SeqCst) {
                remove_temporaries();
                std::process::exit(Exit::Interrupted.code().into());
            }
        });
        set.map_err(|error| error.to_string())
    });
    let failure = |error| {
        CommandFailure::Usage(format!(
            "nothing can listen to Ctrl-C, which takes a thread of its own: {error}"
        ))
    };
    set.clone().map_err(failure)
}

/// Whether the run should end.
pub fn is_asked() -> bool {
    IS_ASKED.load(Ordering::SeqCst)
}
