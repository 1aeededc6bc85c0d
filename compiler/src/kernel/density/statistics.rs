//! What a backward pass adds up for a leaf.

use super::tile::{DensityLanes, DensityTile, LANES};
use crate::circuit::{CircuitGraph, Leaf, ParameterValue};
use crate::flow::{FlowGrid, LeafFlows};
use crate::leaf::family::{FamilyStatistics, MomentStatistics};
use crate::leaf::untruncated::UntruncatedLeaf;

/// The kind of statistics, with the constants they need.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DensityStatistics {
    /// Nothing.
    None,
    /// Flow at each value from `first` on.
    Values { first: f64, n: usize },
    /// Flow in each bin, then that of missing cells.
    Bins(Box<[f64]>),
    /// The four numbers of [`LeafFlows::Moments`].
    Moments(CellMoments),
    /// Flow by distance from the leaf's location.
    Grid(FlowGrid),
}

/// The two statistics of an observed cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CellMoments {
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
pub fn n_statistics(circuit: &CircuitGraph, leaf: &Leaf) -> usize {
    LeafFlows::zero(circuit, leaf).numbers().len()
}

impl DensityStatistics {
    /// What is added up for a leaf.
    pub fn of(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf) -> Self {
        let Some(base) = UntruncatedLeaf::of(circuit, values, leaf) else {
            return DensityStatistics::None;
        };
        let flows = LeafFlows::zero(circuit, leaf);
        match (flows, base.family().statistics()) {
            (LeafFlows::None, _) => DensityStatistics::None,
            (LeafFlows::Values(numbers), _) => DensityStatistics::Values {
                first: base.domain.first(),
                n: numbers.len(),
            },
            (_, FamilyStatistics::Bins(breaks)) => {
                DensityStatistics::Bins(breaks.iter().map(|bound| bound.value()).collect())
            }
            (_, FamilyStatistics::Distances) => {
                DensityStatistics::Grid(FlowGrid::of(circuit, values, base.distribution))
            }
            (_, FamilyStatistics::Moments(kind)) => DensityStatistics::Moments(match kind {
                MomentStatistics::Plain => CellMoments::Plain,
                MomentStatistics::Centred => CellMoments::Centred(base.number(0)),
                MomentStatistics::LogCentred => CellMoments::LogCentred(base.number(0)),
                MomentStatistics::WithLogarithm => CellMoments::Gamma,
            }),
            (_, FamilyStatistics::Nothing | FamilyStatistics::Entries) => {
                DensityStatistics::Moments(CellMoments::Plain)
            }
        }
    }

    /// How many numbers are added up.
    pub fn len(&self) -> usize {
        match self {
            DensityStatistics::None => 0,
            DensityStatistics::Values { n, .. } => *n,
            DensityStatistics::Bins(breaks) => breaks.len(),
            DensityStatistics::Moments(_) => 4,
            DensityStatistics::Grid(_) => FlowGrid::N_NUMBERS,
        }
    }

    /// Adds the flows of a tile, 0 where there is no sample.
    #[inline(always)]
    pub fn add(&self, tile: &mut DensityTile<'_>, flows: &DensityLanes, into: &mut [f64]) {
        match self {
            DensityStatistics::None => {}
            DensityStatistics::Values { first, .. } => {
                for_observed(tile, flows, |x, flow| {
                    if let Some(number) = position(x - first).and_then(|at| into.get_mut(at)) {
                        *number += flow;
                    }
                });
            }
            DensityStatistics::Bins(breaks) => {
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
            DensityStatistics::Grid(grid) => {
                for_observed(tile, flows, |x, flow| grid.add(x, flow, into));
                into[0] += split(tile, flows).1;
            }
            DensityStatistics::Moments(moment) => {
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
fn for_observed(tile: &DensityTile<'_>, flows: &DensityLanes, mut add: impl FnMut(f64, f64)) {
    for ((&x, &missing), &flow) in tile.x.iter().zip(&tile.missing).zip(flows) {
        if missing == 0 && flow != 0.0 {
            add(x, flow);
        }
    }
}

/// The flow of observed and that of missing cells.
#[inline(always)]
fn split(tile: &DensityTile<'_>, flows: &DensityLanes) -> (f64, f64) {
    let (mut observed, mut missing) = ([0.0; 8], [0.0; 8]);
    for lane in 0..LANES {
        let is_missing = tile.missing[lane] != 0;
        missing[lane % 8] += if is_missing { flows[lane] } else { 0.0 };
        observed[lane % 8] += if is_missing { 0.0 } else { flows[lane] };
    }
    (observed.iter().sum(), missing.iter().sum())
}

impl CellMoments {
    /// The sums of the two statistics, weighted by flow.
    #[inline(always)]
    fn sums(self, tile: &mut DensityTile<'_>, flows: &DensityLanes) -> (f64, f64) {
        let missing = tile.missing;
        let x = tile.x;
        match self {
            CellMoments::Plain => (weigh(flows, &missing, &x, |x| x), 0.0),
            CellMoments::Centred(mean) => {
                let first = weigh(flows, &missing, &x, |x| x - mean);
                let second = weigh(flows, &missing, &x, |x| (x - mean) * (x - mean));
                (first, second)
            }
            CellMoments::LogCentred(mean) => {
                let ln = tile.ln_x();
                let first = weigh(flows, &missing, ln, |ln| ln - mean);
                let second = weigh(flows, &missing, ln, |ln| (ln - mean) * (ln - mean));
                (first, second)
            }
            CellMoments::Gamma => {
                let first = weigh(flows, &missing, &x, |x| x);
                (first, weigh(flows, &missing, tile.ln_x(), |ln| ln))
            }
        }
    }
}

/// The sum of flow times a statistic over observed cells. Cells without flow are
/// left out, because their statistic need not be finite.
#[inline(always)]
fn weigh(
    flows: &DensityLanes,
    missing: &[u64; LANES],
    x: &DensityLanes,
    of: impl Fn(f64) -> f64,
) -> f64 {
    let mut sums = [0.0; 8];
    for lane in 0..LANES {
        let counts = missing[lane] == 0 && flows[lane] != 0.0;
        let statistic = if counts { of(x[lane]) } else { 0.0 };
        sums[lane % 8] += flows[lane] * statistic;
    }
    sums.iter().sum()
}
