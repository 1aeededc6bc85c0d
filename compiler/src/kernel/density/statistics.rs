//! What a backward pass adds up for a leaf.

use super::tile::{LANES, Lanes, Tile};
use crate::circuit::{Circuit, Leaf, Value};
use crate::flow::{FlowGrid, LeafFlows};
use crate::leaf::family::{FamilyStatistics, MomentStatistics};
use crate::leaf::untruncated::UntruncatedLeaf;

/// The kind of statistics, with the constants they need.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statistics {
    /// Nothing.
    None,
    /// Flow at each value from `first` on.
    Values { first: f64, n: usize },
    /// Flow in each bin, then that of missing cells.
    Bins(Box<[f64]>),
    /// The four numbers of [`LeafFlows::Moments`].
    Moments(Moment),
    /// Flow by distance from the leaf's location.
    Grid(FlowGrid),
}

/// The two statistics of an observed cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moment {
    /// `x` and nothing.
    Plain,
    /// `x - mean` and its square.
    Centred(f64),
    /// The same of `ln x`.
    LogCentred(f64),
    /// `x` and `ln x`.
    Gamma,
}

/// Numbers that a backward pass adds up for a leaf: its place in
/// [`Plan::n_statistics`](crate::plan::Plan::n_statistics).
pub fn n_statistics(circuit: &Circuit, leaf: &Leaf) -> usize {
    LeafFlows::zero(circuit, leaf).numbers().len()
}

impl Statistics {
    /// What is added up for a leaf.
    pub fn of(circuit: &Circuit, values: &[Value], leaf: &Leaf) -> Self {
        let Some(base) = UntruncatedLeaf::of(circuit, values, leaf) else {
            return Statistics::None;
        };
        let flows = LeafFlows::zero(circuit, leaf);
        match (flows, base.family().statistics()) {
            (LeafFlows::None, _) => Statistics::None,
            (LeafFlows::Values(numbers), _) => Statistics::Values {
                first: base.domain.first(),
                n: numbers.len(),
            },
            (_, FamilyStatistics::Bins(breaks)) => {
                Statistics::Bins(breaks.iter().map(|bound| bound.value()).collect())
            }
            (_, FamilyStatistics::Distances) => {
                Statistics::Grid(FlowGrid::of(circuit, values, base.distribution))
            }
            (_, FamilyStatistics::Moments(kind)) => Statistics::Moments(match kind {
                MomentStatistics::Plain => Moment::Plain,
                MomentStatistics::Centred => Moment::Centred(base.number(0)),
                MomentStatistics::LogCentred => Moment::LogCentred(base.number(0)),
                MomentStatistics::WithLogarithm => Moment::Gamma,
            }),
            (_, FamilyStatistics::Nothing | FamilyStatistics::Entries) => {
                Statistics::Moments(Moment::Plain)
            }
        }
    }

    /// How many numbers are added up.
    pub fn len(&self) -> usize {
        match self {
            Statistics::None => 0,
            Statistics::Values { n, .. } => *n,
            Statistics::Bins(breaks) => breaks.len(),
            Statistics::Moments(_) => 4,
            Statistics::Grid(_) => FlowGrid::N_NUMBERS,
        }
    }

    /// Adds the flows of a tile, 0 where there is no sample.
    #[inline(always)]
    pub fn add(&self, tile: &mut Tile<'_>, flows: &Lanes, into: &mut [f64]) {
        match self {
            Statistics::None => {}
            Statistics::Values { first, .. } => {
                for_observed(tile, flows, |x, flow| {
                    if let Some(number) = position(x - first).and_then(|at| into.get_mut(at)) {
                        *number += flow;
                    }
                });
            }
            Statistics::Bins(breaks) => {
                for_observed(tile, flows, |x, flow| {
                    let above = breaks.partition_point(|&bound| bound <= x);
                    if above > 0 && above < breaks.len() {
                        into[above - 1] += flow;
                    }
                });
                if let Some(last) = into.last_mut() {
                    *last += split(tile, flows).1;
                }
            }
            Statistics::Grid(grid) => {
                for_observed(tile, flows, |x, flow| grid.add(x, flow, into));
                into[0] += split(tile, flows).1;
            }
            Statistics::Moments(moment) => {
                let (observed, missing) = split(tile, flows);
                let (first, second) = moment.sums(tile, flows);
                let sums = [observed, missing, first, second];
                for (number, sum) in into.iter_mut().zip(sums) {
                    *number += sum;
                }
            }
        }
    }
}

/// The place of a value that counts from 0.
fn position(offset: f64) -> Option<usize> {
    (offset >= 0.0).then_some(offset as usize)
}

/// Calls `add` with every observed cell and its flow, where there is any.
#[inline(always)]
fn for_observed(tile: &Tile<'_>, flows: &Lanes, mut add: impl FnMut(f64, f64)) {
    for ((&x, &missing), &flow) in tile.x.iter().zip(&tile.missing).zip(flows) {
        if missing == 0 && flow != 0.0 {
            add(x, flow);
        }
    }
}

/// The flow of observed and that of missing cells.
#[inline(always)]
fn split(tile: &Tile<'_>, flows: &Lanes) -> (f64, f64) {
    let (mut observed, mut missing) = ([0.0; 8], [0.0; 8]);
    for lane in 0..LANES {
        let is_missing = tile.missing[lane] != 0;
        missing[lane % 8] += if is_missing { flows[lane] } else { 0.0 };
        observed[lane % 8] += if is_missing { 0.0 } else { flows[lane] };
    }
    (observed.iter().sum(), missing.iter().sum())
}

impl Moment {
    /// The sums of the two statistics, weighted by flow.
    #[inline(always)]
    fn sums(self, tile: &mut Tile<'_>, flows: &Lanes) -> (f64, f64) {
        let missing = tile.missing;
        let x = tile.x;
        match self {
            Moment::Plain => (weigh(flows, &missing, &x, |x| x), 0.0),
            Moment::Centred(mean) => {
                let first = weigh(flows, &missing, &x, |x| x - mean);
                let second = weigh(flows, &missing, &x, |x| (x - mean) * (x - mean));
                (first, second)
            }
            Moment::LogCentred(mean) => {
                let ln = tile.ln_x();
                let first = weigh(flows, &missing, ln, |ln| ln - mean);
                let second = weigh(flows, &missing, ln, |ln| (ln - mean) * (ln - mean));
                (first, second)
            }
            Moment::Gamma => {
                let first = weigh(flows, &missing, &x, |x| x);
                (first, weigh(flows, &missing, tile.ln_x(), |ln| ln))
            }
        }
    }
}

/// The sum of flow times a statistic over observed cells. Cells without flow are
/// left out, because their statistic need not be finite.
#[inline(always)]
fn weigh(flows: &Lanes, missing: &[u64; LANES], x: &Lanes, of: impl Fn(f64) -> f64) -> f64 {
    let mut sums = [0.0; 8];
    for lane in 0..LANES {
        let counts = missing[lane] == 0 && flows[lane] != 0.0;
        let statistic = if counts { of(x[lane]) } else { 0.0 };
        sums[lane % 8] += flows[lane] * statistic;
    }
    sums.iter().sum()
}
