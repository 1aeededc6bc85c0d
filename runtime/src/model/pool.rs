//! Buffers that wait for their next use.
//!
//! Learning asks for flows of small batches many times, and programs that embed a model
//! ask for values of a few rows; making and clearing megabytes of rows each time would
//! cost as much as using them.

use super::Model;
use super::parameters::KernelPrecision;
use pelton_compiler::kernel::{Real, Tile};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Buffers for values, flows and posteriors, of both precisions and for all plans.
#[derive(Debug, Default)]
pub(super) struct TilePool {
    pub single: FreeTiles<f32>,
    pub double: FreeTiles<f64>,
}

/// Buffers of one precision that wait, by the plan that they are for.
#[derive(Debug)]
pub(super) struct FreeTiles<T>([Mutex<Vec<Tile<T>>>; PlanUse::ALL.len()]);

impl<T> Default for FreeTiles<T> {
    fn default() -> Self {
        FreeTiles(Default::default())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanUse {
    Values,
    Full,
    /// That of second looks, which keeps all derivatives.
    Careful,
    /// That of posteriors, which counts nothing.
    Deriving,
}

/// Bytes of a buffer that may wait while one for another plan is made. Circuits of a
/// million units have buffers of gigabytes, of which one kind is needed at a time.
const LARGEST_WAITING: usize = 32 << 20;

impl<T: Real> FreeTiles<T> {
    fn of(&self, plan_use: PlanUse) -> MutexGuard<'_, Vec<Tile<T>>> {
        let waiting = self.0[plan_use as usize].lock();
        waiting.unwrap_or_else(PoisonError::into_inner)
    }

    /// Frees large buffers that wait for other plans.
    fn make_room_for(&self, plan_use: PlanUse) {
        let others = PlanUse::ALL.into_iter().filter(|&other| other != plan_use);
        for other in others {
            self.of(other)
                .retain(|tile| tile.n_bytes() <= LARGEST_WAITING);
        }
    }
}

/// A tile that goes back to its model's pool.
pub(super) struct PooledTile<'a, T: KernelPrecision> {
    model: &'a Model,
    plan_use: PlanUse,
    tile: Option<Tile<T>>,
}

impl PlanUse {
    const ALL: [PlanUse; 4] = [
        PlanUse::Values,
        PlanUse::Full,
        PlanUse::Careful,
        PlanUse::Deriving,
    ];
}

impl<'a, T: KernelPrecision> PooledTile<'a, T> {
    /// Buffers for a plan, used before if there are any.
    pub fn take(model: &'a Model, plan_use: PlanUse) -> Self {
        let pool = T::pool(model);
        let waiting = pool.of(plan_use).pop();
        let tile = waiting.unwrap_or_else(|| {
            pool.make_room_for(plan_use);
            match plan_use {
                PlanUse::Values => Tile::new(model.evaluation().plan().clone()),
                PlanUse::Full => Tile::with_flows(model.full().plan().clone()),
                PlanUse::Careful => Tile::with_flows(model.careful().plan().clone()),
                PlanUse::Deriving => Tile::with_derivatives(model.deriving().plan().clone()),
            }
        });
        PooledTile {
            model,
            plan_use,
            tile: Some(tile),
        }
    }
}

impl<T: KernelPrecision> std::ops::Deref for PooledTile<'_, T> {
    type Target = Tile<T>;

    fn deref(&self) -> &Tile<T> {
        self.tile.as_ref().expect("there until it is dropped")
    }
}

impl<T: KernelPrecision> std::ops::DerefMut for PooledTile<'_, T> {
    fn deref_mut(&mut self) -> &mut Tile<T> {
        self.tile.as_mut().expect("there until it is dropped")
    }
}

impl<T: KernelPrecision> Drop for PooledTile<'_, T> {
    fn drop(&mut self) {
        let mut waiting = T::pool(self.model).of(self.plan_use);
        waiting.extend(self.tile.take());
    }
}
