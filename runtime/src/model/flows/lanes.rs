//! Lanes of a tile.

use crate::model::parameters::KernelPrecision;
use crate::model::root_bound::RootBound;
use pelton_compiler::kernel::Tile;
use std::ops::Range;

/// The lanes of an evaluated tile that hold rows of their own.
pub(super) struct FlowLanes<T> {
    rows: Range<usize>,
    /// A bit for each lane that is left out.
    skipped: u64,
    /// The root's value in each lane, and its exponent.
    pub root: Vec<T>,
    pub exponents: Vec<i32>,
}

impl<T: KernelPrecision> FlowLanes<T> {
    pub fn of(tile: &Tile<T>, rows: Range<usize>, skipped: u64) -> Self {
        let exponents = (0..T::LANES).map(|lane| tile.root_exponent(lane));
        FlowLanes {
            rows,
            skipped,
            root: tile.value(tile.plan().root()).to_vec(),
            exponents: exponents.collect(),
        }
    }

    /// The lanes, each with its row.
    pub fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        let lanes = self.rows.clone().enumerate();
        lanes.filter(|(lane, _)| self.skipped >> lane & 1 == 0)
    }

    /// Whether all roots are so large that losses do not matter.
    pub fn are_covered(&self, bound: &RootBound) -> bool {
        let covers = |lane: usize| bound.covers(self.root[lane], self.exponents[lane]);
        self.rows().all(|(lane, _)| covers(lane))
    }
}
