//! Sets of values as pairs of numbers.

use super::tile::{LANES, Mask};
use crate::circuit::{Cut, ValueSet};
use rustc_hash::FxHashMap;

/// From here on all numbers are integers.
const ALL_INTEGERS: f64 = 4_503_599_627_370_496.0; // 2^52

/// The sets on which leaves are positive, each kept once.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    all: Vec<Region>,
    known: FxHashMap<(ValueSet, bool), usize>,
}

/// A set as closed intervals, which a loop over samples can compare with.
#[derive(Clone, Debug)]
struct Region {
    intervals: Vec<(f64, f64)>,
    is_discrete: bool,
}

impl Regions {
    /// The position of a set of integers or reals.
    pub fn add(&mut self, set: ValueSet, is_discrete: bool) -> usize {
        let next = self.all.len();
        *self
            .known
            .entry((set, is_discrete))
            .or_insert_with_key(|(set, _)| {
                let intervals = set.runs().iter().map(closed).collect();
                self.all.push(Region {
                    intervals,
                    is_discrete,
                });
                next
            })
    }

    /// The closed intervals of a region.
    #[cfg(feature = "build")]
    pub fn intervals(&self, region: usize) -> &[(f64, f64)] {
        &self.all[region].intervals
    }

    /// Which of the numbers are in a region.
    #[inline(always)]
    pub fn mask(&self, region: usize, x: &[f64; LANES]) -> Mask {
        let region = &self.all[region];
        let mut mask = [0; LANES];
        for &(low, high) in &region.intervals {
            for (mask, &x) in mask.iter_mut().zip(x) {
                *mask |= all_ones(x >= low && x <= high);
            }
        }
        if region.is_discrete {
            for (mask, &x) in mask.iter_mut().zip(x) {
                *mask &= all_ones(is_integer(x));
            }
        }
        mask
    }
}

#[inline(always)]
fn all_ones(is_set: bool) -> u64 {
    if is_set { u64::MAX } else { 0 }
}

#[inline(always)]
fn is_integer(x: f64) -> bool {
    // Halves of an odd number are lost when a number of this size is added.
    let rounded = (x.abs() + ALL_INTEGERS) - ALL_INTEGERS;
    x.abs() >= ALL_INTEGERS || rounded == x.abs()
}

/// The first and last number between two cuts.
fn closed(&(low, high): &(Cut, Cut)) -> (f64, f64) {
    let first = if low.is_after() {
        low.value().next_up()
    } else {
        low.value()
    };
    let last = if high.is_after() {
        high.value()
    } else {
        high.value().next_down()
    };
    (first, last)
}
