//! A single run of learning, from its data to its results.

use super::saver::{CheckpointSaver, check_new, resumed};
use super::{LearningMonitor, LearningOutcome, LearningSetup, SplitTables};
use crate::arguments::{FitOptions, LearningJob, MessageArguments};
use crate::refusal::not_learned;
use crate::{CommandResult, Exit, interrupt};
use pelton_runtime::learn::{LearnOptions, LearningResult, StopReason, TrainingTask, learn};
use serde_json::Value as Json;
use std::io::Write;
use std::time::Instant;

pub struct FitRun<'a> {
    pub job: LearningJob<'a>,
    /// Checkpoints, and how much to regularize.
    pub fit: &'a FitOptions,
    pub learning: &'a LearnOptions,
    pub setup: &'a LearningSetup,
    pub tables: &'a SplitTables<'a>,
}

/// Says if a checkpoint would replace what must not be lost.
pub fn check_checkpoint(fit: &FitOptions) -> CommandResult<()> {
    match &fit.checkpoint {
        Some(path) if !fit.resume => check_new(path),
        _ => Ok(()),
    }
}

impl FitRun<'_> {
    /// Learns, shows progress, writes results and tells them; `json` and `print` are
    /// those of [`LearningOutcome::write`].
    pub fn run(
        &self,
        json: impl Fn(Json) -> Json,
        print: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
        messages: &MessageArguments,
    ) -> CommandResult<Exit> {
        let resume = match &self.fit.checkpoint {
            Some(path) if self.fit.resume => resumed(path, self.job, self.setup, messages)?,
            _ => None,
        };
        let model = &self.setup.model;
        let task = self.tables.task(model, self.learning, resume.as_ref());
        let start = Instant::now();
        let (learned, saved) = self.watched(&task, messages)?;
        let conclusion = LearningOutcome {
            job: self.job,
            setup: self.setup,
            learned: &learned,
            is_density: self.tables.is_density,
            time: start.elapsed(),
            is_cancelled: learned.report.stop_reason == StopReason::Cancelled,
        };
        let exit = conclusion.write(json, print, messages)?;
        saved?;
        Ok(exit)
    }

    /// Learns, shows progress and saves checkpoints. What was learned comes also if the
    /// last checkpoint could not be saved.
    fn watched(
        &self,
        task: &TrainingTask,
        messages: &MessageArguments,
    ) -> CommandResult<(LearningResult, CommandResult<()>)> {
        interrupt::watch()?;
        let path = self.fit.checkpoint.as_deref();
        let saver = path.map(|path| CheckpointSaver::new(path, self.setup, messages));
        let mut watch = LearningMonitor::new(task.options, messages).saving(saver);
        let learned = learn(task, &mut watch);
        let saved = watch.finish();
        let learned = learned.map_err(|error| {
            let sources = &self.setup.opened.program.sources;
            not_learned(error, (self.setup.model.circuit(), sources), messages)
        })?;
        Ok((learned, saved))
    }
}
