//! Work that Ctrl-C can end.
//!
//! Python looks for signals on its main thread alone, and only while that thread runs
//! Python. So long work is done by another thread, and the calling one looks for signals
//! until it is done. What is to end soon is told by [`InterruptFlag`]; what does not look is left
//! to itself.

use crate::error;
use pyo3::prelude::*;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the calling thread sleeps between two looks for signals.
pub const TICK: Duration = Duration::from_millis(50);
/// How long interrupted work may take to end.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// How long a part of the rows should take.
const PART: Duration = Duration::from_millis(200);
/// As deep as a main thread's.
const STACK: usize = 8 << 20;

/// Tells work to end.
#[derive(Clone, Default)]
pub struct InterruptFlag(Arc<AtomicBool>);

impl InterruptFlag {
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does something that takes a moment at most, without the interpreter's lock.
pub fn brief<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    done.map_err(|panic| fault(py, &*panic))
}

/// Does something that may take long.
pub fn long<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&InterruptFlag) -> R + Send + 'static,
) -> PyResult<R> {
    let stop = InterruptFlag::default();
    let (told, (send, inbox)) = (stop.clone(), ThreadReceiver::new());
    spawn(py, move || {
        // Nobody listens any more if the work was interrupted.
        let _ = send.send(catch_unwind(AssertUnwindSafe(|| work(&told))));
    })?;
    loop {
        match inbox.wait(py, TICK) {
            Ok(result) => return result.map_err(|panic| fault(py, &*panic)),
            Err(RecvTimeoutError::Disconnected) => return Err(fault(py, &"its thread ended")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(signal) = py.check_signals() {
            stop.set();
            let _ = inbox.wait(py, PATIENCE);
            return Err(signal);
        }
    }
}

/// What another thread tells.
pub struct ThreadReceiver<T>(Mutex<Receiver<T>>);

impl<T: Send> ThreadReceiver<T> {
    pub fn new() -> (Sender<T>, Self) {
        let (send, receive) = channel();
        (send, ThreadReceiver(Mutex::new(receive)))
    }

    /// Waits without the interpreter's lock.
    pub fn wait(&self, py: Python<'_>, most: Duration) -> Result<T, RecvTimeoutError> {
        py.detach(|| {
            let inbox = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            inbox.recv_timeout(most)
        })
    }
}

pub fn spawn(py: Python<'_>, run: impl FnOnce() + Send + 'static) -> PyResult<()> {
    let thread = std::thread::Builder::new().name("pelton".into());
    match thread.stack_size(STACK).spawn(run) {
        Ok(_) => Ok(()),
        Err(reason) => Err(fault(py, &format!("there is no thread for it: {reason}"))),
    }
}

/// How rows are cut into parts, between which work looks whether it is to end.
pub struct InterruptibleParts<'a> {
    /// Rows of the first part; further ones are as many as take a moment.
    pub first: usize,
    pub stop: &'a InterruptFlag,
}

impl InterruptibleParts<'_> {
    /// Does something with all rows, part by part, until it is told to stop.
    pub fn each(
        &self,
        n_rows: usize,
        mut part: impl FnMut(Range<usize>) -> pelton::Result<()>,
    ) -> pelton::Result<()> {
        let (mut done, mut size) = (0, self.first.max(1));
        while done < n_rows && !self.stop.is_set() {
            let end = n_rows.min(done.saturating_add(size));
            let start = Instant::now();
            part(done..end)?;
            done = end;
            let factor = PART.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-6);
            // Whole tiles, so that parts make no difference to any row.
            let next = (size as f64 * factor.clamp(0.125, 8.0)) as usize;
            size = next.next_multiple_of(TILES).max(TILES);
        }
        Ok(())
    }
}

/// Rows of several tiles.
pub const TILES: usize = 1024;

/// A panic, which is a fault of this package.
pub fn fault(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    error::internal(py, &text.unwrap_or_else(|| "something failed".to_string()))
}
