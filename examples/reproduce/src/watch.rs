//! Shows how far the work has come, and listens to Ctrl-C.

use pelton_cli::arguments::MessageArguments;
use pelton_cli::learning::{MonitoredRun, control_from_interrupt};
use pelton_cli::progress::{ProgressLine, shown_time};
use pelton_runtime::learn::{
    Checkpoint, Epoch, EpochProgress, GridPoint, LearnOptions, LearningControl, LearningObserver,
    TuneObserver, TuningTrial,
};
use pelton_runtime::structure::{SearchObserver, SearchTrial};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// Time between two lines of `--progress plain`.
const PAUSE: Duration = Duration::from_secs(1);

/// Watches a piece of work: one run, or a search of several.
pub struct Watch {
    line: ProgressLine,
    /// Which piece it is.
    place: String,
    options: LearnOptions,
    run: MonitoredRun,
    /// What is tried, in a search.
    trial: Option<String>,
    /// The best validation likelihood of trials that are done.
    best: Option<f64>,
    began: Instant,
    /// How long all of it takes, if that is known.
    time: Option<Duration>,
    /// When trials of a search ended, in seconds.
    pub ends: Vec<f64>,
}

impl Watch {
    /// Watches what `place` names.
    pub fn new(place: String, options: &LearnOptions, messages: &MessageArguments) -> Self {
        Watch {
            line: ProgressLine::new(PAUSE, messages),
            place,
            options: options.clone(),
            run: MonitoredRun::new(options),
            trial: None,
            best: None,
            began: Instant::now(),
            time: None,
            ends: Vec::new(),
        }
    }

    /// The same where it is known how long all that is left takes.
    pub fn within(self, time: Duration) -> Self {
        Watch {
            time: Some(time),
            ..self
        }
    }

    fn text(&self) -> String {
        let mut text = self.place.clone();
        if let Some(time) = self.time {
            let left = shown_time(time.saturating_sub(self.began.elapsed()));
            text += &format!(", about {left} left");
        }
        let Some(trial) = &self.trial else {
            return format!("{text}: {}", self.run.full_text());
        };
        text += &format!(", {trial}: {}", self.run.text(None));
        if let Some(best) = self.best {
            text += &format!(", best {best:.4}");
        }
        text
    }

    fn show(&mut self) {
        let text = self.text();
        self.line.show(|| text);
    }

    fn begin_trial(&mut self, trial: String) {
        self.trial = Some(trial);
        self.run = MonitoredRun::new(&self.options);
    }

    fn end_trial(&mut self, valid: f64, is_best: bool) {
        self.ends.push(self.began.elapsed().as_secs_f64());
        if is_best {
            self.best = Some(valid);
        }
    }
}

impl LearningObserver for Watch {
    fn progress(&mut self, progress: &EpochProgress) -> LearningControl {
        self.run.progress(progress);
        if self.line.changes() {
            self.show();
        }
        control_from_interrupt()
    }

    fn epoch(&mut self, epoch: &Epoch, _checkpoint: &dyn Fn() -> Checkpoint) -> LearningControl {
        self.run.epoch(epoch);
        self.show();
        control_from_interrupt()
    }
}

impl SearchObserver for Watch {
    fn begin(&mut self, number: usize, _passed: f64, recipe: &dyn Display) {
        self.begin_trial(format!("trial {number} ({recipe})"));
    }

    fn end(&mut self, trial: &SearchTrial, is_best: bool) {
        self.end_trial(trial.valid.mean, is_best);
    }
}

impl TuneObserver for Watch {
    fn begin(&mut self, number: usize, n_trials: usize, point: &GridPoint) {
        self.begin_trial(format!("trial {number}/{n_trials} ({point})"));
    }

    fn end(&mut self, trial: &TuningTrial, is_best: bool) {
        self.end_trial(trial.valid.mean, is_best);
    }
}
