//! The kernels of density leaves.

use super::exp2::{ROUND, clamp};
use super::tile::{DensityLanes, DensityTile, LANES, Mask};
use super::{PreparedDensities, PreparedLeaf};
use crate::kernel::frame::{lanes, lanes_mut};
use crate::kernel::{Frame, Real};
use crate::plan::{DensityRun, PlanOperation, PlanRow};
use pelton_macros::also_generated;
use std::cell::Cell;

/// Exponents of a density stay within this, so that the exponents of thousands
/// of variables can be added; what lies beyond counts as lost.
const LARGEST_EXPONENT: f64 = 1_048_576.0; // 2^20

thread_local! {
    /// Logarithms of all leaves of an operation, kept to spare an allocation.
    static LOGS: Cell<Vec<DensityLanes>> = const { Cell::new(Vec::new()) };
}

/// The largest logarithm gives the exponent, the rest the values.
///
/// # Safety
/// See [`OpFn`](crate::kernel::OpFn).
#[inline(always)]
pub(in crate::kernel) unsafe extern "C" fn forward<R: Real>(
    frame: *const Frame,
    op: *const PlanOperation,
) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Density(op)) = (&*frame, &*op) else {
            return;
        };
        // 1. The logarithms of all leaves, and the largest of each sample.
        let (mut tile, leaves) = open::<R>(frame, op);
        let mut logs = LOGS.take();
        logs.resize(leaves.len().max(logs.len()), [0.0; LANES]);
        let mut largest = [f64::NEG_INFINITY; LANES];
        for (leaf, logs) in leaves.iter().zip(&mut logs) {
            leaf.logs(&mut tile, logs);
            for (largest, &log) in largest.iter_mut().zip(&*logs) {
                *largest = if log > *largest { log } else { *largest };
            }
        }
        // 2. Its whole part becomes the exponent of the scope.
        let base = largest.map(whole_part);
        let exponents = lanes_mut(frame.exponent::<R>(op.exponent), R::LANES);
        for (exponent, &base) in exponents.iter_mut().zip(&base) {
            *exponent = base as i32;
        }
        // 3. What is left of each is its value; too little of it is a loss.
        let mut lost = [0; LANES];
        for (i, logs) in (0..op.n).zip(&logs) {
            let out = lanes_mut(frame.value::<R>(PlanRow(op.out.0 + i)), R::LANES);
            values::<R>(logs, &base, out, &mut lost);
        }
        *frame.lost |= bits(&lost[..R::LANES]);
        LOGS.set(logs);
    }
}

/// Adds the statistics of all leaves.
///
/// # Safety
/// See [`OpFn`](crate::kernel::OpFn).
#[inline(always)]
pub(in crate::kernel) unsafe extern "C" fn backward<R: Real>(
    frame: *const Frame,
    op: *const PlanOperation,
) {
    // SAFETY: the frame fits the plan that the operation belongs to; the
    // statistics of each leaf have a place of their own.
    unsafe {
        let (frame, PlanOperation::Density(op)) = (&*frame, &*op) else {
            return;
        };
        if !frame.has_counts() {
            return;
        }
        let (mut tile, leaves) = open::<R>(frame, op);
        for ((i, leaf), &first) in (0..).zip(leaves).zip(&op.statistics) {
            let n = leaf.statistics.len();
            if n == 0 {
                continue;
            }
            let row = PlanRow(op.out.0 + i);
            let d = lanes(frame.derivative::<R>(row), R::LANES);
            let value = lanes(frame.value::<R>(row), R::LANES);
            // The flow into a leaf is its derivative times its value; exponents cancel.
            let mut flows = [0.0; LANES];
            for ((flow, &d), &value) in flows.iter_mut().zip(d).zip(value) {
                *flow = d.to_f64() * value.to_f64();
            }
            let into = lanes_mut(frame.statistics.add(first as usize), n);
            leaf.statistics.add(&mut tile, &flows, into);
        }
    }
}

/// The cells of an operation's variable, and its leaves.
///
/// # Safety
/// See [`OpFn`](crate::kernel::OpFn).
#[inline(always)]
unsafe fn open<'a, R: Real>(
    frame: &Frame,
    op: &DensityRun,
) -> (DensityTile<'a>, &'a [PreparedLeaf]) {
    // SAFETY: the frame points to the leaves and cells of the plan.
    unsafe {
        let densities = &*frame.densities.cast::<PreparedDensities>();
        let cells = frame.reals.add(op.reals as usize * R::LANES);
        let tile = DensityTile::new(&densities.regions, lanes(cells, R::LANES));
        let first = op.first_leaf as usize;
        (tile, &densities.leaves[first..first + op.n as usize])
    }
}

impl PreparedLeaf {
    /// The logarithms of the leaf's values, base 2.
    #[inline(always)]
    fn logs(&self, tile: &mut DensityTile<'_>, logs: &mut DensityLanes) {
        self.form.logs(tile, logs);
        choose(logs, tile.inside(self.region), f64::NEG_INFINITY);
        if tile.any_missing {
            let observed = tile.missing.map(|missing| !missing);
            choose(logs, &observed, self.missing);
        }
    }
}

/// Replaces the numbers that a mask leaves out.
#[inline(always)]
fn choose(logs: &mut DensityLanes, keep: &Mask, other: f64) {
    for (log, keep) in logs.iter_mut().zip(keep) {
        let bits = (log.to_bits() & keep) | (other.to_bits() & !keep);
        *log = f64::from_bits(bits);
    }
}

/// The exponent that belongs to a largest logarithm; 0 for an infinite one.
#[also_generated]
#[inline(always)]
pub(crate) fn whole_part(log: f64) -> f64 {
    let clamped = clamp(log, -LARGEST_EXPONENT, LARGEST_EXPONENT);
    let rounded = (clamped + ROUND) - ROUND;
    let below = rounded - 1.0;
    let whole = if rounded > clamped { below } else { rounded };
    let is_finite = log.is_finite();
    if is_finite { whole } else { 0.0 }
}

/// Powers of two of what is left, and whether a positive value was lost.
#[inline(always)]
fn values<R: Real>(logs: &DensityLanes, base: &DensityLanes, out: &mut [R], lost: &mut Mask) {
    let samples = logs.iter().zip(base).zip(lost).zip(out);
    for (((&log, &base), lost), out) in samples {
        let rest = log - base;
        *out = R::from_log2(rest);
        *lost |= lost_mask(rest, f64::from(R::MIN_EXPONENT));
    }
}

/// All ones if a power of two is neither 0 nor infinite nor a normal number.
#[also_generated]
#[inline(always)]
pub(crate) fn lost_mask(rest: f64, min_exponent: f64) -> u64 {
    let is_normal = (rest >= min_exponent) & (rest < 2.0);
    let is_known = is_normal | (rest.abs() == f64::INFINITY);
    if is_known { 0 } else { u64::MAX }
}

/// A bit for each sample whose mask is set.
fn bits(masks: &[u64]) -> u64 {
    let bits = masks.iter().enumerate();
    bits.fold(0, |all, (lane, mask)| all | (mask & 1) << lane)
}
