//! Buffers that wait for their next use.
//!
//! Learning asks for flows of small batches many times, and programs that embed a model
//! ask for values of a few rows; making and clearing megabytes of rows each time would
//! cost as much as using them.

use super::Model;
use super::parameters::Precise;
use pelton_compiler::kernel::{Real, Tile};
use std::sync::{Mutex, PoisonError};

/// Buffers for values, flows and posteriors, of both precisions and for all plans.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub single: Waiting<f32>,
    pub double: Waiting<f64>,
}

/// Buffers of one precision that wait, by the plan that they are for.
#[derive(Debug)]
pub(super) struct Waiting<T> {
    values: Mutex<Vec<Tile<T>>>,
    full: Mutex<Vec<Tile<T>>>,
    careful: Mutex<Vec<Tile<T>>>,
    deriving: Mutex<Vec<Tile<T>>>,
}

impl<T> Default for Waiting<T> {
    fn default() -> Self {
        Waiting {
            values: Mutex::default(),
            full: Mutex::default(),
            careful: Mutex::default(),
            deriving: Mutex::default(),
        }
    }
}

/// Which plan buffers are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// That of values alone.
    Values,
    /// That of flows.
    Full,
    /// That of second looks, which keeps all derivatives.
    Careful,
    /// That of posteriors, which counts nothing.
    Deriving,
}

/// Bytes of a buffer that may wait while one for another plan is made. Circuits of a
/// million units have buffers of gigabytes, of which one kind is needed at a time.
const LARGEST_WAITING: usize = 32 << 20;

impl<T: Real> Waiting<T> {
    fn of(&self, care: Care) -> &Mutex<Vec<Tile<T>>> {
        match care {
            Care::Values => &self.values,
            Care::Full => &self.full,
            Care::Careful => &self.careful,
            Care::Deriving => &self.deriving,
        }
    }

    /// Frees large buffers that wait for other plans.
    fn make_room_for(&self, care: Care) {
        let others = Care::ALL.into_iter().filter(|&other| other != care);
        for other in others {
            let mut waiting = self
                .of(other)
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            waiting.retain(|tile| tile.n_bytes() <= LARGEST_WAITING);
        }
    }
}

/// A tile that goes back to its model's pool.
pub(super) struct Pooled<'a, T: Precise> {
    model: &'a Model,
    care: Care,
    tile: Option<Tile<T>>,
}

impl Care {
    const ALL: [Care; 4] = [Care::Values, Care::Full, Care::Careful, Care::Deriving];
}

impl<'a, T: Precise> Pooled<'a, T> {
    /// Buffers for a plan, used before if there are any.
    pub fn take(model: &'a Model, care: Care) -> Self {
        let pool = T::pool(model);
        let waiting = pool
            .of(care)
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let tile = waiting.unwrap_or_else(|| {
            pool.make_room_for(care);
            match care {
                Care::Values => Tile::new(model.evaluation().plan().clone()),
                Care::Full => Tile::with_flows(model.full().plan().clone()),
                Care::Careful => Tile::with_flows(model.careful().plan().clone()),
                Care::Deriving => Tile::with_derivatives(model.deriving().plan().clone()),
            }
        });
        Pooled {
            model,
            care,
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
        let pool = T::pool(self.model).of(self.care).lock();
        pool.unwrap_or_else(PoisonError::into_inner)
            .extend(self.tile.take());
    }
}
