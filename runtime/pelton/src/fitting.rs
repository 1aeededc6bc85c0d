//! Learning parameters from rows.

use crate::circuit::CompiledCircuit;
use crate::{Batch, Circuit, Epoch, Error, FitOptions, Phase, Report, Result, Start, StopReason};
use pelton_compiler::circuit::ParameterValue;
use pelton_runtime::data::Table;
use pelton_runtime::learn::{
    self, Checkpoint, LearningControl, LearningObserver, LearningRows, TrainingTask, learn,
    learn_from,
};
use pelton_runtime::structure::SearchObserver;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Rows to learn from, and rows to judge by.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Training<'a> {
    train: Batch<'a>,
    valid: Option<Batch<'a>>,
    test: Option<Batch<'a>>,
}

impl<'a> Training<'a> {
    /// Rows to learn from; they count as [`Batch::weights`] says.
    pub fn new(train: &Batch<'a>) -> Self {
        Training {
            train: *train,
            valid: None,
            test: None,
        }
    }

    /// Rows that decide when to stop and which parameters are kept.
    pub fn valid(self, rows: &Batch<'a>) -> Self {
        Training {
            valid: Some(*rows),
            ..self
        }
    }

    /// Rows that are looked at once, when everything has been decided.
    pub fn test(self, rows: &Batch<'a>) -> Self {
        Training {
            test: Some(*rows),
            ..self
        }
    }

    pub(crate) fn batches(&self) -> impl Iterator<Item = &Batch<'a>> {
        [Some(&self.train), self.valid.as_ref()]
            .into_iter()
            .flatten()
    }
}

impl<'a> From<&Batch<'a>> for Training<'a> {
    fn from(train: &Batch<'a>) -> Self {
        Training::new(train)
    }
}

/// How far learning has come.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The epoch that has just ended, with its likelihoods; none within an epoch.
    pub ended: Option<&'a Epoch>,
    /// What is being done.
    pub phase: Phase,
    /// Number of the epoch, from 1.
    pub epoch: usize,
    /// The most epochs that there can be.
    pub n_epochs: usize,
    /// Rows of the epoch that are done.
    pub rows_done: usize,
    /// Rows of an epoch.
    pub n_rows: usize,
}

/// Parameters that were learned and are not yet those of a circuit.
#[must_use = "what was learned is lost unless it is adopted"]
pub struct Fitted {
    /// What is known of the run.
    pub report: Report,
    compiled: Arc<CompiledCircuit>,
    /// None if the run was stopped before anything was learned.
    values: Option<Vec<ParameterValue>>,
}

impl std::fmt::Debug for Fitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fitted")
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl Circuit {
    /// Learns the parameters from rows and takes them over.
    ///
    /// `progress` is told now and then within an epoch and at the end of each, and may stop
    /// the run: what was learned until then is kept, except in an epoch that has not ended.
    /// If nothing was learned, or something fails, parameters stay as they are. Results
    /// depend on the rows and the options alone, not on threads.
    ///
    /// A run starts from what the text or the file gives and, with [`Start::Keep`], from
    /// the parameters that the circuit has now.
    pub fn fit<'a>(
        &mut self,
        rows: impl Into<Training<'a>>,
        options: &FitOptions,
        progress: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<Report> {
        let fitted = self.learn(rows, options, progress)?;
        self.adopt(fitted)
    }

    /// Learns parameters without taking them over, so that others can go on to use the
    /// circuit; [`Circuit::adopt`] does the rest.
    pub fn learn<'a>(
        &self,
        rows: impl Into<Training<'a>>,
        options: &FitOptions,
        progress: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<Fitted> {
        let rows: Training<'a> = rows.into();
        let mut options = options.clone();
        if options.threads == 0 {
            options.threads = self.threads();
        }
        let read = |batch: Option<Batch<'a>>| batch.map(|batch| self.table(&batch)).transpose();
        let train = self.table(&rows.train)?;
        let (valid, test) = (read(rows.valid)?, read(rows.test)?);
        let task = TrainingTask {
            model: &self.compiled.model,
            train: of((&train, rows.train)),
            valid: valid.as_ref().zip(rows.valid).map(of),
            test: test.as_ref().zip(rows.test).map(of),
            options: &options,
            resume: None,
        };
        let mut watch = CallbackObserver::new(progress);
        // A run that goes on begins at the circuit's own values.
        let learned = match options.start {
            Start::Keep => learn_from(&task, self.parameters.values(), &mut watch)?,
            Start::Random | Start::KMeans => learn(&task, &mut watch)?,
        };
        let report = learned.report;
        let is_start = report.epochs.is_empty() && report.stop_reason == StopReason::Cancelled;
        Ok(Fitted {
            values: (!is_start).then_some(learned.values),
            compiled: self.compiled.clone(),
            report,
        })
    }

    /// Takes over parameters that this circuit, or a clone of it, has learned.
    pub fn adopt(&mut self, fitted: Fitted) -> Result<Report> {
        if !Arc::ptr_eq(&self.compiled, &fitted.compiled) {
            return Err(Error::usage(
                "the parameters were learned for another circuit",
            ));
        }
        if let Some(values) = fitted.values {
            self.set_values(values);
        }
        Ok(fitted.report)
    }
}

fn of<'a>((table, batch): (&'a Table, Batch<'a>)) -> LearningRows<'a> {
    LearningRows::Table {
        table,
        weights: batch.row_weights(),
    }
}

/// Tells a function of the caller.
pub(crate) struct CallbackObserver<F> {
    progress: F,
    /// Where the epoch was when it was last told.
    now: Option<learn::EpochProgress>,
}

impl<F: FnMut(&Progress<'_>) -> ControlFlow<()>> CallbackObserver<F> {
    pub fn new(progress: F) -> Self {
        CallbackObserver {
            progress,
            now: None,
        }
    }

    fn report(&mut self, now: &learn::EpochProgress, ended: Option<&Epoch>) -> LearningControl {
        let progress = Progress {
            ended,
            phase: now.phase,
            epoch: now.epoch,
            n_epochs: now.n_epochs,
            rows_done: now.rows_done,
            n_rows: now.n_rows,
        };
        match (self.progress)(&progress) {
            ControlFlow::Continue(()) => LearningControl::Continue,
            ControlFlow::Break(()) => LearningControl::Stop,
        }
    }
}

impl<F: FnMut(&Progress<'_>) -> ControlFlow<()>> SearchObserver for CallbackObserver<F> {}

impl<F: FnMut(&Progress<'_>) -> ControlFlow<()>> LearningObserver for CallbackObserver<F> {
    fn progress(&mut self, progress: &learn::EpochProgress) -> LearningControl {
        self.now = Some(*progress);
        self.report(progress, None)
    }

    fn epoch(&mut self, epoch: &Epoch, _: &dyn Fn() -> Checkpoint) -> LearningControl {
        let (n_epochs, n_rows) = self
            .now
            .map_or((epoch.epoch, 0), |now| (now.n_epochs, now.n_rows));
        let now = learn::EpochProgress {
            phase: epoch.phase,
            epoch: epoch.epoch,
            n_epochs,
            rows_done: n_rows,
            n_rows,
        };
        self.report(&now, Some(epoch))
    }
}
