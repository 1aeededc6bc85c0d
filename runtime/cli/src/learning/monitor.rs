//! Shows how far learning has come, saves checkpoints, and listens to Ctrl-C.

use super::saver::CheckpointSaver;
use crate::CommandResult;
use crate::arguments::MessageArguments;
use crate::interrupt;
use crate::progress::{ProgressLine, shown_time};
use pelton_runtime::learn::{
    Checkpoint, Epoch, EpochProgress, GridPoint, LearnOptions, LearningControl, LearningObserver,
    Phase, TuneObserver, TuningTrial,
};
use pelton_runtime::structure::{SearchObserver, SearchTrial};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// Time between two lines of `--progress plain`.
const PAUSE: Duration = Duration::from_secs(1);

/// Watches a run, or several: the trials of a search, the members of an ensemble.
pub struct LearningMonitor<'a> {
    line: ProgressLine,
    options: LearnOptions,
    run: MonitoredRun,
    saver: Option<CheckpointSaver<'a>>,
    /// Which trial it is, and what is tried.
    trial: Option<String>,
    /// The best validation likelihood of the trials that are done.
    best: Option<f64>,
    start: Instant,
}

impl<'a> LearningMonitor<'a> {
    pub fn new(options: &LearnOptions, messages: &MessageArguments) -> Self {
        LearningMonitor {
            line: ProgressLine::new(PAUSE, messages),
            options: options.clone(),
            run: MonitoredRun::new(options),
            saver: None,
            trial: None,
            best: None,
            start: Instant::now(),
        }
    }

    pub fn saving(self, saver: Option<CheckpointSaver<'a>>) -> Self {
        LearningMonitor { saver, ..self }
    }

    /// Saves the last checkpoint, when the run has ended.
    pub fn finish(self) -> CommandResult<()> {
        self.saver.map_or(Ok(()), |mut saver| saver.finish())
    }

    fn text(&self) -> String {
        let Some(trial) = &self.trial else {
            return self.run.full_text();
        };
        let mut text = format!("{trial}: {}", self.run.text(None));
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
        if is_best {
            self.best = Some(valid);
        }
    }
}

impl LearningObserver for LearningMonitor<'_> {
    fn progress(&mut self, progress: &EpochProgress) -> LearningControl {
        self.run.progress(progress);
        if self.line.changes() {
            self.show();
        }
        control_from_interrupt()
    }

    fn epoch(&mut self, epoch: &Epoch, checkpoint: &dyn Fn() -> Checkpoint) -> LearningControl {
        self.run.epoch(epoch);
        self.show();
        if let Some(saver) = &mut self.saver {
            saver.epoch(checkpoint);
        }
        control_from_interrupt()
    }
}

impl TuneObserver for LearningMonitor<'_> {
    fn begin(&mut self, number: usize, n_trials: usize, point: &GridPoint) {
        let left = match number.saturating_sub(1) {
            0 => String::new(),
            n_done => {
                let left = left(self.start.elapsed(), n_done, n_trials - n_done);
                format!(", about {left} left")
            }
        };
        self.begin_trial(format!("trial {number}/{n_trials}{left} ({point})"));
    }

    fn end(&mut self, trial: &TuningTrial, is_best: bool) {
        self.end_trial(trial.valid.mean, is_best);
    }
}

impl SearchObserver for LearningMonitor<'_> {
    fn begin(&mut self, number: usize, passed: f64, recipe: &dyn Display) {
        let passed = 100.0 * passed;
        self.begin_trial(format!(
            "trial {number}, {passed:.0} % of the time ({recipe})"
        ));
    }

    fn end(&mut self, trial: &SearchTrial, is_best: bool) {
        self.end_trial(trial.valid.mean, is_best);
    }
}

/// Whether a run goes on: Ctrl-C ends it.
pub fn control_from_interrupt() -> LearningControl {
    if interrupt::is_asked() {
        LearningControl::Stop
    } else {
        LearningControl::Continue
    }
}

/// What is known of a run that goes on.
pub struct MonitoredRun {
    start: Instant,
    minibatch_epochs: usize,
    fullbatch_epochs: usize,
    /// The phase, and its epochs that are done.
    phase: (Phase, usize),
    /// The epoch that runs or was the last.
    epoch: usize,
    /// Epochs that were done since `start`.
    n_done: usize,
    /// Which share of the epoch is done, if it still runs.
    share: Option<f64>,
    last: Option<Epoch>,
    best: Option<(f64, usize)>,
}

impl MonitoredRun {
    /// A run with these options that has not begun.
    pub fn new(options: &LearnOptions) -> Self {
        let phase = match options.minibatch_epochs {
            0 => Phase::FullBatch,
            _ => Phase::MiniBatch,
        };
        MonitoredRun {
            start: Instant::now(),
            minibatch_epochs: options.minibatch_epochs,
            fullbatch_epochs: options.fullbatch_epochs,
            phase: (phase, 0),
            epoch: 0,
            n_done: 0,
            share: None,
            last: None,
            best: None,
        }
    }

    /// Takes how far an epoch has come.
    pub fn progress(&mut self, progress: &EpochProgress) {
        if progress.phase != self.phase.0 {
            self.phase = (progress.phase, 0);
        }
        self.epoch = progress.epoch;
        self.share = Some(progress.rows_done as f64 / progress.n_rows.max(1) as f64);
    }

    /// Takes an epoch that has ended.
    pub fn epoch(&mut self, epoch: &Epoch) {
        self.phase = match epoch.phase == self.phase.0 {
            // A run that is resumed has done epochs that nobody told of.
            true if self.n_done == 0 => (epoch.phase, self.n_resumed(epoch)),
            true => (epoch.phase, self.phase.1 + 1),
            false => (epoch.phase, 1),
        };
        self.epoch = epoch.epoch;
        self.n_done += 1;
        self.share = None;
        let is_best = |valid: f64| self.best.is_none_or(|(best, _)| valid > best);
        if let Some(valid) = epoch.valid_ll.filter(|&valid| is_best(valid)) {
            self.best = Some((valid, epoch.epoch));
        }
        self.last = Some(epoch.clone());
    }

    /// Epochs of the phase that are done if this is the first that is told of.
    fn n_resumed(&self, epoch: &Epoch) -> usize {
        // Epochs are numbered through both phases; those of the first come off in the second.
        let n_before = match epoch.phase {
            Phase::FullBatch => self.minibatch_epochs.min(epoch.epoch - 1),
            _ => 0,
        };
        epoch.epoch - n_before
    }

    /// Epochs of the whole run, if no phase ends early from now on.
    fn n_epochs(&self) -> usize {
        let (phase, n_done) = self.phase;
        let n_running = usize::from(self.share.is_some());
        // What the running phase and those behind it may still take.
        let left = match phase {
            Phase::Mle => n_running,
            Phase::MiniBatch => {
                self.minibatch_epochs.saturating_sub(n_done) + self.fullbatch_epochs
            }
            Phase::FullBatch => self.fullbatch_epochs.saturating_sub(n_done),
        };
        self.epoch.saturating_sub(n_running) + left
    }

    /// `epoch 12/200 minibatch, ≤ 3 s left: train -5.1234, valid -5.2345`: the longer
    /// something is, the later it comes, because terminals are narrow.
    pub fn text(&self, left: Option<String>) -> String {
        let (epoch, n_epochs) = (self.epoch, self.n_epochs());
        let mut text = format!("epoch {epoch}/{n_epochs} {}", self.phase.0.name());
        if let Some(share) = self.share {
            text += &format!(" {:.0} %", 100.0 * share);
        }
        if let Some(left) = left {
            text += &format!(", ≤ {left} left");
        }
        if let Some(last) = &self.last {
            text += &format!(": train {:.4}", last.train_ll);
            if let Some(valid) = last.valid_ll {
                text += &format!(", valid {valid:.4}");
            }
        }
        text
    }

    /// The same with the time left and the best epoch so far.
    pub fn full_text(&self) -> String {
        let n_left = self.n_epochs().saturating_sub(self.epoch);
        let is_known = self.n_done > 0;
        let left = is_known.then(|| left(self.start.elapsed(), self.n_done, n_left));
        let mut text = self.text(left);
        if let Some((best, epoch)) = self.best {
            text += &format!(", best {best:.4} at {epoch}");
        }
        text
    }
}

/// The time that `n_left` things take if `n_done` took `passed`.
fn left(passed: Duration, n_done: usize, n_left: usize) -> String {
    let seconds = passed.as_secs_f64() / n_done as f64 * n_left as f64;
    shown_time(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}
