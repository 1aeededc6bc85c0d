//! Buffers that wait for their next use.
//!
//! Learning asks for flows of small batches many times; making and clearing
//! megabytes of rows each time would cost as much as using them.

use super::Model;
use super::parameters::Precise;
use pelton_compiler::kernel::Tile;
use std::sync::{Mutex, PoisonError};

/// Buffers for flows, of both precisions.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub single: Mutex<Vec<Tile<f32>>>,
    pub double: Mutex<Vec<Tile<f64>>>,
}

/// A tile that goes back to its model's pool.
pub(super) struct Pooled<'a, T: Precise> {
    model: &'a Model,
    tile: Option<Tile<T>>,
}

impl<'a, T: Precise> Pooled<'a, T> {
    /// Buffers for flows, used before if there are any.
    pub fn take(model: &'a Model) -> Self {
        let waiting = T::pool(model)
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let tile = waiting.unwrap_or_else(|| Tile::with_flows(model.full().plan().clone()));
        Pooled {
            model,
            tile: Some(tile),
        }
    }
}

impl<T: Precise> std::ops::Deref for Pooled<'_, T> {
    type Target = Tile<T>;

    fn deref(&self) -> &Tile<T> {
        self.tile.as_ref().expect("there until it is dropped")
    }
}

impl<T: Precise> std::ops::DerefMut for Pooled<'_, T> {
    fn deref_mut(&mut self) -> &mut Tile<T> {
        self.tile.as_mut().expect("there until it is dropped")
    }
}

impl<T: Precise> Drop for Pooled<'_, T> {
    fn drop(&mut self) {
        let pool = T::pool(self.model).lock();
        pool.unwrap_or_else(PoisonError::into_inner)
            .extend(self.tile.take());
    }
}
