//! The progress of long runs, on standard error.

use crate::arguments::{Messages, Progress};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Runs shorter than this show nothing.
const SILENCE: Duration = Duration::from_secs(1);

/// Shows how far a run has come.
pub struct Meter {
    what: &'static str,
    total: usize,
    form: Progress,
    start: Instant,
    /// When something is shown next.
    next: Duration,
    has_shown: bool,
}

impl Meter {
    /// A meter of `total` rows, in the form asked for.
    pub fn new(what: &'static str, total: usize, messages: &Messages) -> Self {
        let form = match messages.progress {
            Progress::Auto if messages.quiet || !std::io::stderr().is_terminal() => Progress::None,
            form => form,
        };
        Meter {
            what,
            total,
            form,
            start: Instant::now(),
            next: SILENCE,
            has_shown: false,
        }
    }

    /// Says that `done` rows are done.
    pub fn tell(&mut self, done: usize) {
        let passed = self.start.elapsed();
        if self.form == Progress::None || passed < self.next {
            return;
        }
        let percent = 100.0 * done as f64 / self.total.max(1) as f64;
        let rate = done as f64 / passed.as_secs_f64();
        let text = format!("{} {percent:.0} %, {rate:.0} rows/s", self.what);
        let mut out = std::io::stderr().lock();
        // That standard error may be closed changes nothing.
        let _ = match self.form {
            Progress::Plain => writeln!(out, "{text}"),
            _ => write!(out, "\r{text:<40}").and_then(|()| out.flush()),
        };
        self.has_shown = true;
        self.next = passed + self.pause();
    }

    fn pause(&self) -> Duration {
        match self.form {
            Progress::Plain => Duration::from_secs(5),
            _ => Duration::from_millis(200),
        }
    }
}

impl Drop for Meter {
    /// Clears the line that changes.
    fn drop(&mut self) {
        if self.has_shown && self.form == Progress::Auto {
            eprint!("\r{:<40}\r", "");
        }
    }
}
