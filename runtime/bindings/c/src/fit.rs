//! Training.

use crate::batch::{pelton_batch, with_batch};
use crate::error::{CallFailure, pelton_status};
use crate::guard::{CallResult, call, check, put, slice};
use crate::handle::{change, held, pelton_circuit};
use pelton::{Batch, FitOptions, Method, Progress, Report, Start, Training};
use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;

/// The closed form where it is exact, otherwise EM.
pub const PELTON_METHOD_AUTO: u32 = 0;
/// The most likely parameters in closed form.
pub const PELTON_METHOD_MLE: u32 = 1;
/// Expectation maximisation.
pub const PELTON_METHOD_EM: u32 = 2;

/// A run starts at random.
pub const PELTON_START_RANDOM: u32 = 0;
/// Rows are clustered, and sums choose their children by cluster.
pub const PELTON_START_KMEANS: u32 = 1;
/// A run goes on from the parameters that the circuit has.
pub const PELTON_START_KEEP: u32 = 2;

/// How parameters are learned. [`pelton_fit_defaults`] fills it in.
#[repr(C)]
pub struct pelton_fit_options {
    /// One of `PELTON_METHOD_…`.
    pub method: u32,
    /// One of `PELTON_START_…`.
    pub start: u32,
    /// Rows that every vector of probabilities is given in advance.
    pub pseudocount: f64,
    /// How much of every observed cell of a finite domain is noise.
    pub softness: f64,
    /// How much the entropy counts beside the mean log-likelihood.
    pub entropy: f64,
    /// Epochs of mini-batches, which come first.
    pub minibatch_epochs: usize,
    /// Epochs over all rows at once.
    pub fullbatch_epochs: usize,
    /// Rows of a mini-batch.
    pub batch_size: usize,
    /// Epochs without a better validation likelihood after which a phase ends.
    pub patience: usize,
    /// A full-batch epoch that raises the objective by less ends the phase.
    pub tolerance: f64,
    /// The seed of everything that is drawn.
    pub seed: u64,
}

/// How far training has come.
#[repr(C)]
pub struct pelton_progress {
    /// Number of the epoch, from 1.
    pub epoch: usize,
    /// The most epochs that there can be.
    pub n_epochs: usize,
    /// Rows of the epoch that are done.
    pub rows_done: usize,
    /// Rows of an epoch.
    pub n_rows: usize,
    /// 1 if the epoch has just ended, otherwise 0.
    pub has_ended: c_int,
    /// Mean log-likelihood of the training rows of an epoch that has ended, otherwise NaN.
    pub train_ll: f64,
    /// The same of validation rows; NaN without any.
    pub valid_ll: f64,
}

/// What is known of a run that has ended.
#[repr(C)]
pub struct pelton_report {
    /// Epochs that were done.
    pub n_epochs: usize,
    /// The epoch whose parameters were kept.
    pub best_epoch: usize,
    /// Mean log-likelihood of the training rows under the parameters that were kept.
    pub train_ll: f64,
    /// The same of validation rows; NaN without any.
    pub valid_ll: f64,
    /// 1 if the callback stopped the run, otherwise 0.
    pub was_stopped: c_int,
}

/// Is told how far training has come, within epochs and at the end of each. What is not 0
/// stops the run. It may evaluate the circuit, which still has its old parameters; changing
/// them is `PELTON_STATUS_BUSY`. It must return, and not by `longjmp` or an exception.
pub type pelton_callback =
    Option<unsafe extern "C" fn(progress: *const pelton_progress, user: *mut c_void) -> c_int>;

/// Fills in the defaults.
///
/// # Safety
/// `options` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_fit_defaults(options: *mut pelton_fit_options) -> pelton_status {
    let usual = FitOptions::default();
    let own = pelton_fit_options {
        method: PELTON_METHOD_AUTO,
        start: PELTON_START_RANDOM,
        pseudocount: usual.pseudocount,
        softness: usual.softness,
        entropy: usual.entropy,
        minibatch_epochs: usual.minibatch_epochs,
        fullbatch_epochs: usual.fullbatch_epochs,
        batch_size: usual.batch_size,
        patience: usual.patience,
        tolerance: usual.tolerance,
        seed: usual.seed,
    };
    // SAFETY: the caller's promise.
    call(|| unsafe { put(options, own, "the options") })
}

/// Learns the parameters from rows. `weights` is null or has one for each row; `valid`,
/// `options`, `callback` and `report` may be null. Evaluation goes on meanwhile with the old
/// parameters. If the run fails, or is stopped before its first epoch has ended, they stay.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)] // C has no other way to leave arguments out.
pub unsafe extern "C" fn pelton_fit(
    handle: *mut pelton_circuit,
    train: *const pelton_batch,
    weights: *const f64,
    valid: *const pelton_batch,
    options: *const pelton_fit_options,
    callback: pelton_callback,
    user: *mut c_void,
    report: *mut pelton_report,
) -> pelton_status {
    call(|| {
        let held = held(handle)?;
        // A copy is trained, so that others evaluate the old parameters until it is done.
        let mut change = change(&held)?;
        // SAFETY: the caller's promise.
        let options = unsafe { read_options(options) }?;
        let tell = |progress: &Progress<'_>| tell(progress, callback, user);
        let fit = |training: Training<'_>| Ok(change.circuit.fit(training, &options, tell)?);
        // SAFETY: likewise.
        let found = unsafe {
            with_batch(train, "the batch", |train| {
                let weights = if weights.is_null() {
                    None
                } else {
                    Some(slice(weights, train.n_rows(), "weights")?)
                };
                let train = weights.map_or(*train, |weights| train.weights(weights));
                with_training(&train, valid, fit)
            })
        }?;
        change.done();
        if report.is_null() {
            Ok(())
        } else {
            // SAFETY: likewise.
            unsafe { put(report, report_of(&found), "the report") }
        }
    })
}

/// # Safety
/// `valid` is null or as its description says.
unsafe fn with_training<R>(
    train: &Batch<'_>,
    valid: *const pelton_batch,
    fit: impl FnOnce(Training<'_>) -> CallResult<R>,
) -> CallResult<R> {
    if valid.is_null() {
        return fit(Training::new(train));
    }
    // SAFETY: the caller's promise.
    unsafe {
        with_batch(valid, "the validation batch", |valid| {
            // Both are borrowed for as long as the shorter of them lives.
            fit(Training::new(train).valid(valid))
        })
    }
}

/// # Safety
/// `options` is null or points to some.
unsafe fn read_options(options: *const pelton_fit_options) -> CallResult<FitOptions> {
    if options.is_null() {
        return Ok(FitOptions::default());
    }
    check(options, 1, "the options")?;
    // SAFETY: not null, aligned, and the caller's promise.
    let own = unsafe { &*options };
    Ok(FitOptions {
        method: match own.method {
            PELTON_METHOD_AUTO => None,
            PELTON_METHOD_MLE => Some(Method::Mle),
            PELTON_METHOD_EM => Some(Method::Em),
            other => return Err(CallFailure::usage(format!("{other} is no method"))),
        },
        start: match own.start {
            PELTON_START_RANDOM => Start::Random,
            PELTON_START_KMEANS => Start::KMeans,
            PELTON_START_KEEP => Start::Keep,
            other => return Err(CallFailure::usage(format!("{other} is no start"))),
        },
        pseudocount: own.pseudocount,
        softness: own.softness,
        entropy: own.entropy,
        minibatch_epochs: own.minibatch_epochs,
        fullbatch_epochs: own.fullbatch_epochs,
        batch_size: own.batch_size,
        patience: own.patience,
        tolerance: own.tolerance,
        seed: own.seed,
        ..FitOptions::default()
    })
}

fn tell(progress: &Progress<'_>, callback: pelton_callback, user: *mut c_void) -> ControlFlow<()> {
    let Some(callback) = callback else {
        return ControlFlow::Continue(());
    };
    let nan = f64::NAN;
    let own = pelton_progress {
        epoch: progress.epoch,
        n_epochs: progress.n_epochs,
        rows_done: progress.rows_done,
        n_rows: progress.n_rows,
        has_ended: c_int::from(progress.ended.is_some()),
        train_ll: progress.ended.map_or(nan, |epoch| epoch.train_ll),
        valid_ll: progress
            .ended
            .and_then(|epoch| epoch.valid_ll)
            .unwrap_or(nan),
    };
    // SAFETY: the caller gave this function for such calls, and what it points to is theirs.
    match unsafe { callback(&own, user) } {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    }
}

fn report_of(report: &Report) -> pelton_report {
    pelton_report {
        n_epochs: report.epochs.len(),
        best_epoch: report.best_epoch,
        train_ll: report.train.mean,
        valid_ll: report.valid.map_or(f64::NAN, |score| score.mean),
        was_stopped: c_int::from(report.stop_reason == pelton::StopReason::Cancelled),
    }
}
