//! Who watches a run, and may end it.

use super::checkpoint::Checkpoint;
use super::report::{Epoch, Phase};

/// How a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearningControl {
    /// It does.
    Continue,
    /// It ends, and what it has learned so far is kept.
    Stop,
}

/// How far an epoch has come.
#[derive(Clone, Copy, Debug)]
pub struct EpochProgress {
    /// The phase.
    pub phase: Phase,
    /// Number of the epoch in the run, from 1.
    pub epoch: usize,
    /// The most epochs that the run can have.
    pub n_epochs: usize,
    /// Rows of the epoch that are done.
    pub rows_done: usize,
    /// Rows of an epoch.
    pub n_rows: usize,
}

/// Watches a run. All methods have a default that lets it go on.
pub trait LearningObserver {
    /// Is told now and then within an epoch; ending a run here drops the epoch.
    fn progress(&mut self, _progress: &EpochProgress) -> LearningControl {
        LearningControl::Continue
    }

    /// Is told after each epoch. `checkpoint` makes what the run can be resumed
    /// from; it costs a copy of the parameters, so it is made only if asked for.
    fn epoch(&mut self, _epoch: &Epoch, _checkpoint: &dyn Fn() -> Checkpoint) -> LearningControl {
        LearningControl::Continue
    }
}

/// Watches nothing.
impl LearningObserver for () {}
