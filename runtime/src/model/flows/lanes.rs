//! Lanes of a tile.

use std::ops::Range;

/// The lanes of a tile that hold rows of their own.
pub(super) struct FlowLanes {
    pub rows: Range<usize>,
    pub skipped: u64,
}

impl FlowLanes {
    pub fn row(&self, lane: usize) -> Option<usize> {
        let is_used = lane < self.rows.len() && self.skipped >> lane & 1 == 0;
        is_used.then(|| self.rows.start + lane)
    }

    pub fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.rows.len()).filter_map(|lane| Some((lane, self.row(lane)?)))
    }
}
