//! Training, with a function that is told of every epoch.

use crate::array;
use crate::error::OrRaise;
use crate::options::choose;
use crate::rows::{PythonTable, Rows};
use crate::work::{self, InterruptFlag, ThreadReceiver};
use pelton::{Batch, Epoch, FitOptions, Method, Progress, Result, Softening, Start, Training};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// A dictionary of the package, which has all of these.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct FitSettings {
    method: String,
    pseudocount: f64,
    pseudocount_per_batch: bool,
    softness: f64,
    softening: String,
    scale_by_marginal: bool,
    entropy: f64,
    minibatch_epochs: usize,
    epochs: usize,
    batch_size: usize,
    step_size: (f64, f64),
    patience: usize,
    tolerance: f64,
    start: String,
    seed: u64,
}

impl FitSettings {
    pub fn options(&self) -> PyResult<FitOptions> {
        let methods = [
            ("auto", None),
            ("mle", Some(Method::Mle)),
            ("em", Some(Method::Em)),
        ];
        let softenings = [Softening::Virtual, Softening::Geometric, Softening::Sampled];
        let starts = [Start::Random, Start::KMeans, Start::Keep];
        Ok(FitOptions {
            method: choose("method", &self.method, &methods)?,
            pseudocount: self.pseudocount,
            pseudocount_per_batch: self.pseudocount_per_batch,
            softness: self.softness,
            softening: choose(
                "softening",
                &self.softening,
                &softenings.map(|own| (own.name(), own)),
            )?,
            scale_by_marginal: self.scale_by_marginal,
            entropy: self.entropy,
            minibatch_epochs: self.minibatch_epochs,
            fullbatch_epochs: self.epochs,
            batch_size: self.batch_size,
            step_size: self.step_size,
            patience: self.patience,
            tolerance: self.tolerance,
            start: choose("start", &self.start, &starts.map(|own| (own.name(), own)))?,
            seed: self.seed,
            threads: 0,
        })
    }
}

/// Rows to learn from and to judge by.
pub struct FitTables {
    train: Arc<PythonTable>,
    valid: Option<Arc<PythonTable>>,
    test: Option<Arc<PythonTable>>,
    weights: Option<Vec<f64>>,
}

/// Rows of the package: to learn from, to judge by, to look at last, and weights.
pub type PythonSplits<'py> = (
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
);

impl FitTables {
    pub fn read((train, valid, test, weights): &PythonSplits<'_>) -> PyResult<Self> {
        Ok(FitTables {
            train: Rows::read(train)?,
            valid: valid.as_ref().map(Rows::read).transpose()?,
            test: test.as_ref().map(Rows::read).transpose()?,
            weights: weights.as_ref().map(array::numbers).transpose()?,
        })
    }

    /// Does something with all rows.
    pub fn with<R>(&self, run: impl FnOnce(Training<'_>) -> R) -> R {
        with_all(&self.train, |train| {
            let train = match &self.weights {
                Some(weights) => train.weights(weights),
                None => *train,
            };
            with_some(self.valid.as_deref(), |valid| {
                with_some(self.test.as_deref(), |test| {
                    let mut training = Training::new(&train);
                    if let Some(valid) = valid {
                        training = training.valid(valid);
                    }
                    if let Some(test) = test {
                        training = training.test(test);
                    }
                    run(training)
                })
            })
        })
    }
}

fn with_all<R>(table: &PythonTable, run: impl FnOnce(&Batch<'_>) -> R) -> R {
    table.with(0..table.n_rows(), run)
}

fn with_some<R>(table: Option<&PythonTable>, run: impl FnOnce(Option<&Batch<'_>>) -> R) -> R {
    match table {
        Some(table) => with_all(table, |batch| run(Some(batch))),
        None => run(None),
    }
}

/// How long an interrupted run may take to hand over what it has learned.
const GRACE: Duration = Duration::from_secs(5);

/// What the learning thread tells the calling one.
enum FitThreadEvent<R> {
    Ended(Epoch),
    Done(std::thread::Result<Result<R>>),
}

/// Runs `learn`, which is given a function to tell how far it has come, on a thread of its own.
/// `callback` is called on the calling one at the end of every epoch; what it returns as true
/// ends the run, as does Ctrl-C, which is the second result: what was learned until then is the
/// first.
pub fn watched<R: Send + 'static>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    learn: impl FnOnce(&mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>) -> Result<R> + Send + 'static,
) -> PyResult<(R, Option<PyErr>)> {
    let (stop, (send, inbox)) = (InterruptFlag::default(), ThreadReceiver::new());
    let (answer, answers) = channel::<bool>();
    let ended = callback.is_some().then(|| send.clone());
    let mut tell = reporter(stop.clone(), ended, answers);
    work::spawn(py, move || {
        let run = || learn(&mut tell);
        // Nobody listens any more if the run was given up.
        let _ = send.send(FitThreadEvent::Done(catch_unwind(AssertUnwindSafe(run))));
    })?;
    let mut interrupt: Option<(PyErr, Instant)> = None;
    loop {
        // 1. What the learning thread tells: an epoch for the callback, or the end.
        match (inbox.wait(py, work::TICK), callback) {
            (Ok(FitThreadEvent::Done(Ok(result))), _) => {
                return Ok((result.or_raise(py)?, interrupt.map(|(signal, _)| signal)));
            }
            (Ok(FitThreadEvent::Done(Err(panic))), _) => return Err(work::fault(py, &*panic)),
            (Ok(FitThreadEvent::Ended(epoch)), Some(callback)) => match call(callback, &epoch) {
                Ok(is_over) => {
                    let _ = answer.send(is_over);
                }
                // Ctrl-C may come while the function runs, and means the same then.
                Err(signal) if signal.is_instance_of::<PyKeyboardInterrupt>(py) => {
                    interrupt = Some((signal, Instant::now()));
                    stop.set();
                    let _ = answer.send(true);
                }
                Err(error) => {
                    // Without an answer the run ends.
                    drop(answer);
                    let _ = inbox.wait(py, work::PATIENCE);
                    return Err(error);
                }
            },
            (Err(RecvTimeoutError::Disconnected), _) => {
                return Err(work::fault(py, &"its thread ended"));
            }
            (Ok(FitThreadEvent::Ended(_)) | Err(RecvTimeoutError::Timeout), _) => {}
        }
        // 2. Ctrl-C, which only this thread can see.
        if let Err(signal) = py.check_signals() {
            stop.set();
            match interrupt {
                None => interrupt = Some((signal, Instant::now())),
                // Asked twice, the run is given up.
                Some(_) => return Err(signal),
            }
        }
        // 3. A run that does not look at its flag is given up after a while.
        match interrupt {
            Some((signal, since)) if since.elapsed() > GRACE => return Err(signal),
            other => interrupt = other,
        }
    }
}

/// What is told how far learning has come, on its thread: it sends epochs that have ended and waits
/// for an answer, without which the run ends.
fn reporter<R>(
    stop: InterruptFlag,
    ended: Option<Sender<FitThreadEvent<R>>>,
    answers: Receiver<bool>,
) -> impl FnMut(&Progress<'_>) -> ControlFlow<()> {
    move |progress| {
        let is_over = stop.is_set()
            || match (&ended, progress.ended) {
                (Some(ended), Some(epoch)) => {
                    let is_sent = ended.send(FitThreadEvent::Ended(epoch.clone())).is_ok();
                    !is_sent || answers.recv().unwrap_or(true)
                }
                _ => false,
            };
        if is_over {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Whether the function of the program wants the run to end.
fn call(callback: &Bound<'_, PyAny>, own: &Epoch) -> PyResult<bool> {
    let fields = (
        own.phase.name(),
        own.epoch,
        own.seconds,
        own.train_ll,
        own.valid_ll,
        own.objective,
    );
    callback.call1(fields)?.is_truthy()
}
