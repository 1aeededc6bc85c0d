//! The progress of long runs, on standard error.

use crate::arguments::{MessageArguments, ProgressForm};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Runs shorter than this show nothing on a terminal.
const SILENCE: Duration = Duration::from_millis(500);

/// Width of a terminal that does not say how wide it is.
const WIDTH: usize = 80;

/// Shows how far a run has come: as a line that changes, as a line now and then, or
/// not at all.
pub struct ProgressLine {
    form: ProgressForm,
    start: Instant,
    /// When something is shown next.
    next: Duration,
    /// Time between two lines that stay.
    pause: Duration,
    is_visible: bool,
}

impl ProgressLine {
    /// In the form asked for; lines that stay come after `pause` at the earliest.
    pub fn new(pause: Duration, messages: &MessageArguments) -> Self {
        let form = match messages.progress {
            ProgressForm::Auto if messages.quiet || !std::io::stderr().is_terminal() => {
                ProgressForm::None
            }
            form => form,
        };
        ProgressLine {
            form,
            start: Instant::now(),
            next: match form {
                ProgressForm::Auto => SILENCE,
                _ => Duration::ZERO,
            },
            pause,
            is_visible: false,
        }
    }

    /// Time since it was made.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Shows what `text` makes if it is time to.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        let passed = self.start.elapsed();
        if self.form == ProgressForm::None || passed < self.next {
            return;
        }
        let mut out = std::io::stderr().lock();
        // That standard error may be closed changes nothing.
        let _ = match self.form {
            ProgressForm::Plain => writeln!(out, "{}", text()),
            _ => write!(out, "\r{}\x1b[K", cut(&text(), width())).and_then(|()| out.flush()),
        };
        self.is_visible = self.form == ProgressForm::Auto;
        self.next = passed
            + match self.form {
                ProgressForm::Plain => self.pause,
                _ => Duration::from_millis(100),
            };
    }

    /// Whether it is a line that changes, so that it can be told within epochs.
    pub fn changes(&self) -> bool {
        self.form == ProgressForm::Auto
    }

    /// Removes the line that changes, so that something else can be printed.
    pub fn clear(&mut self) {
        if self.is_visible {
            // That standard error may be closed changes nothing.
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
            self.is_visible = false;
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

fn width() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(WIDTH, |(width, _)| width.0.into())
}

/// The beginning of a text that leaves the last cell of a terminal free: a line
/// that wraps cannot be overwritten.
fn cut(text: &str, width: usize) -> String {
    text.chars().take(width.saturating_sub(1)).collect()
}

/// A time for people: `0.42 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
pub fn shown_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 9.995 => format!("{seconds:.2} s"),
        ..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        let shown = [0.42, 12.3, 59.7, 200.0, 7500.0]
            .map(|seconds| shown_time(Duration::from_secs_f64(seconds)));
        assert_eq!(
            shown,
            ["0.42 s", "12 s", "1 min 0 s", "3 min 20 s", "2 h 5 min"]
        );
    }

    #[test]
    fn lines_do_not_wrap() {
        assert_eq!(cut("epoch 1/2", 6), "epoch");
        assert_eq!(cut("ä", 80), "ä");
    }
}
