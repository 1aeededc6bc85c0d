//! Leaves with tables, in plain loops.

use super::dense::{dot, larger};
use super::frame::{lanes, lanes_mut};
use super::{Frame, ROW_BYTES, Real};
use crate::plan::{PlanOperation, PlanRow, TableGather, WeightSlot};

/// `out[i] = table[i][code]`, or the sum over soft evidence.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn forward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the caller's promises are those of `rows`.
    unsafe { rows::<R>(frame, op, |acc, term| *acc += term) }
}

/// `out[i] = table[i][code]`, or the largest product with soft evidence.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn max<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the caller's promises are those of `rows`.
    unsafe { rows::<R>(frame, op, |acc, term| *acc = larger(*acc, term)) }
}

/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
unsafe fn rows<R: Real>(frame: *const Frame, op: *const PlanOperation, join: impl Fn(&mut R, R)) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Gather(op)) = (&*frame, &*op) else {
            return;
        };
        let evidence = TileEvidence::<R>::of(frame, op);
        for i in 0..op.n {
            let table = frame.weight::<R>(table(op, i));
            let out = lanes_mut(frame.value::<R>(PlanRow(op.out.0 + i)), R::LANES);
            match evidence {
                TileEvidence::Hard(codes) => {
                    for (out, &code) in out.iter_mut().zip(codes) {
                        *out = *table.add(code as usize);
                    }
                }
                TileEvidence::Soft(first) => {
                    out.fill(R::ZERO);
                    for k in 0..op.n_values as usize {
                        let weight = *table.add(k);
                        let soft = lanes(first.add(k * R::LANES), R::LANES);
                        for (out, &soft) in out.iter_mut().zip(soft) {
                            join(out, weight * soft);
                        }
                    }
                }
            }
        }
    }
}

/// `count[i][code] += d[out[i]]`, or `count[i][k] += d[out[i]] * soft[k]`
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn backward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Gather(op)) = (&*frame, &*op) else {
            return;
        };
        if !frame.has_counts() {
            return;
        }
        let evidence = TileEvidence::<R>::of(frame, op);
        for i in 0..op.n {
            let counts = frame.count::<R>(table(op, i));
            let d = lanes(frame.derivative::<R>(PlanRow(op.out.0 + i)), R::LANES);
            match evidence {
                TileEvidence::Hard(codes) => {
                    for (&d, &code) in d.iter().zip(codes) {
                        *counts.add(code as usize) += d;
                    }
                }
                TileEvidence::Soft(first) => {
                    for k in 0..op.n_values as usize {
                        *counts.add(k) += dot(d, lanes(first.add(k * R::LANES), R::LANES));
                    }
                }
            }
        }
    }
}

/// Where the table of a leaf begins.
#[inline(always)]
pub(super) fn table(op: &TableGather, leaf: u32) -> WeightSlot {
    WeightSlot(op.weights.0 + leaf * (op.n_values + 1))
}

/// What is known of the variable in this tile.
#[derive(Clone, Copy)]
pub(super) enum TileEvidence<'a, R> {
    /// A code for each sample.
    Hard(&'a [u32]),
    /// The first of a row for each value.
    Soft(*const R),
}

impl<R: Real> TileEvidence<'_, R> {
    /// # Safety
    /// The frame has the evidence that the operation reads.
    #[inline(always)]
    pub unsafe fn of(frame: &Frame, op: &TableGather) -> Self {
        debug_assert_eq!(ROW_BYTES, size_of::<R>() * R::LANES);
        let row = op.codes as usize;
        // SAFETY: as demanded of the caller.
        unsafe {
            let soft = *frame.soft.add(row);
            if soft.is_null() {
                TileEvidence::Hard(lanes(frame.codes.add(row * R::LANES), R::LANES))
            } else {
                TileEvidence::Soft(soft.cast())
            }
        }
    }
}
