//! Leaves over infinite domains: the operation of `kernel/density/kernels.rs`, without what
//! that keeps for other leaves.

use super::emitter::everywhere;
use super::facts::{DensityFacts, LeafFacts, facts};
use super::leaf::{is_inside, log_leaf};
use crate::kernel::density::baked::DensityFormula;
use crate::kernel::density::form::{bell, line, tent};
use crate::kernel::density::kernels::{lost_mask, whole_part};
use crate::kernel::density::{exp2_double, exp2_single};
use crate::kernel::{Frame, Precision, ROW_BYTES, Real};
use pelton_macros::only_generated;

/// Rows of doubles that an operation needs beside one for each leaf: the largest
/// logarithms, their whole parts, and masks of what was lost.
pub(super) const SCRATCH_ROWS: usize = 3;

/// The kernel that drivers call. The frame's densities are the block of weights, its
/// statistics room for logarithms.
#[only_generated]
pub(super) fn density<R: Real>(frame: &Frame, op: &DensityFacts) {
    let block = frame.densities.cast::<u8>();
    let leaves = block
        .add(facts().leaves)
        .cast::<LeafFacts>()
        .add(op.first_leaf as usize);
    let cells = frame.reals.add(op.reals as usize * R::LANES);
    let largest = frame.statistics.cast::<f64>();
    let base = largest.add(R::LANES);
    let masks = largest.add(2 * R::LANES).cast::<u64>();
    let logs = largest.add(SCRATCH_ROWS * R::LANES);
    let (n, n_lanes) = (op.n as usize, R::LANES);
    for lane in lanes(n_lanes) {
        *largest.add(lane) = f64::NEG_INFINITY;
        *masks.add(lane) = 0;
    }
    for number in 0..n {
        let row = logs.add(number * R::LANES);
        log_leaves::<R>(block, leaves.add(number), cells, row);
        for lane in lanes(n_lanes) {
            let (log, old) = (*row.add(lane), *largest.add(lane));
            *largest.add(lane) = if log > old { log } else { old };
        }
    }
    // The whole parts of the largest logarithms are the exponents.
    let exponents = frame.exponents.add(op.exponent as usize * R::LANES);
    for lane in 0..n_lanes {
        let whole = whole_part(*largest.add(lane));
        *base.add(lane) = whole;
        *exponents.add(lane) = whole as i32;
    }
    // What is left of them gives the values.
    let values = frame.values.add(op.out as usize * ROW_BYTES);
    for number in 0..n {
        let row = logs.add(number * R::LANES);
        let out = values.add(number * ROW_BYTES).cast::<R>();
        for lane in lanes(n_lanes) {
            let rest = *row.add(lane) - *base.add(lane);
            *masks.add(lane) |= lost_mask(rest, f64::from(R::MIN_EXPONENT));
            *out.add(lane) = if R::PRECISION == Precision::F32 {
                exp2_single(rest) as R
            } else {
                exp2_double(rest) as R
            };
        }
    }
    let mut lost = *frame.lost;
    for lane in 0..n_lanes {
        lost |= (*masks.add(lane) & 1) << lane;
    }
    *frame.lost = lost;
}

/// The logarithms of one leaf: vectors of simple formulas, others cell by cell.
#[only_generated]
fn log_leaves<R: Real>(block: *const u8, leaf: &LeafFacts, cells: *const f64, row: *mut f64) {
    let (kind, n_lanes) = (leaf.kind, R::LANES);
    if kind > DensityFormula::Tent as u32 {
        for lane in 0..n_lanes {
            *row.add(lane) = log_leaf(block, leaf, *cells.add(lane));
        }
        return;
    }
    let first = everywhere(leaf.constants[0]);
    let second = everywhere(leaf.constants[1]);
    let third = everywhere(leaf.constants[2]);
    if kind == DensityFormula::Flat as u32 {
        for lane in lanes(n_lanes) {
            *row.add(lane) = first;
        }
    }
    if kind == DensityFormula::Bell as u32 {
        for lane in lanes(n_lanes) {
            *row.add(lane) = bell(*cells.add(lane), second, third, first);
        }
    }
    if kind == DensityFormula::Line as u32 {
        for lane in lanes(n_lanes) {
            *row.add(lane) = line(*cells.add(lane), second, first);
        }
    }
    if kind == DensityFormula::Tent as u32 {
        for lane in lanes(n_lanes) {
            *row.add(lane) = tent(*cells.add(lane), second, third, first);
        }
    }
    let missing = everywhere(leaf.missing);
    for lane in lanes(n_lanes) {
        let (x, log) = (*cells.add(lane), *row.add(lane));
        let is_inside = is_inside(block, leaf, x);
        let positive = if is_inside { log } else { f64::NEG_INFINITY };
        let is_missing = x.is_nan();
        *row.add(lane) = if is_missing { missing } else { positive };
    }
}

/// Backward passes of densities add up statistics, which nobody asks for.
#[only_generated]
pub(super) fn no_statistics(frame: *const u8, op: *const u8) {}
