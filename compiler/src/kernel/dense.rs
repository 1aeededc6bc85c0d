//! Complete layers of sums, in plain loops.

use super::frame::{lanes, lanes_mut};
use super::{Frame, Real};
use crate::plan::{DenseLayer, DerivativeWrite, PlanOperation, PlanRow, WeightSlot};

/// `out[i] = sum_j w[i][j] * input[j]`
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn forward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the caller's promises are those of `rows`.
    unsafe { rows::<R>(frame, op, |acc, term| *acc += term) }
}

/// `out[i] = max_j w[i][j] * input[j]`
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn max<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the caller's promises are those of `rows`.
    unsafe { rows::<R>(frame, op, |acc, term| *acc = larger(*acc, term)) }
}

/// The larger number; of a NaN and a number, the second.
#[inline(always)]
pub(super) fn larger<R: Real>(left: R, right: R) -> R {
    if left > right { left } else { right }
}

/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
unsafe fn rows<R: Real>(frame: *const Frame, op: *const PlanOperation, join: impl Fn(&mut R, R)) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Dense(op)) = (&*frame, &*op) else {
            return;
        };
        for i in 0..op.n_out {
            let mut acc = R::row(R::ZERO);
            for j in 0..op.n_in {
                let weight = *weight::<R>(frame, op, i, j);
                let input = lanes(frame.value::<R>(PlanRow(op.input.0 + j)), R::LANES);
                for (acc, &x) in acc.as_mut().iter_mut().zip(input) {
                    join(acc, weight * x);
                }
            }
            let out = lanes_mut(frame.value::<R>(PlanRow(op.out.0 + i)), R::LANES);
            out.copy_from_slice(acc.as_ref());
        }
    }
}

/// # Safety
/// The plan has the weight.
#[inline(always)]
unsafe fn weight<R: Real>(frame: &Frame, op: &DenseLayer, i: u32, j: u32) -> *const R {
    // SAFETY: as demanded of the caller.
    unsafe { frame.weight::<R>(WeightSlot(op.weights.0 + i * op.n_in + j)) }
}

/// Derivatives of the children, and counts.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn backward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Dense(op)) = (&*frame, &*op) else {
            return;
        };
        if op.flow != DerivativeWrite::Skip {
            derivatives::<R>(frame, op);
        }
        if frame.has_counts() {
            counts::<R>(frame, op);
        }
    }
}

/// # Safety
/// See [`OpFn`](super::OpFn).
unsafe fn derivatives<R: Real>(frame: &Frame, op: &DenseLayer) {
    // SAFETY: the frame fits the plan; inputs and sums are different rows.
    unsafe {
        for j in 0..op.n_in {
            let into = lanes_mut(frame.derivative::<R>(PlanRow(op.input.0 + j)), R::LANES);
            let mut acc = R::row(R::ZERO);
            if op.flow == DerivativeWrite::Add {
                acc.as_mut().copy_from_slice(into);
            }
            for i in 0..op.n_out {
                let weight = *weight::<R>(frame, op, i, j);
                let d = lanes(frame.derivative::<R>(PlanRow(op.out.0 + i)), R::LANES);
                for (acc, &d) in acc.as_mut().iter_mut().zip(d) {
                    *acc += weight * d;
                }
            }
            into.copy_from_slice(acc.as_ref());
        }
    }
}

/// # Safety
/// See [`OpFn`](super::OpFn).
unsafe fn counts<R: Real>(frame: &Frame, op: &DenseLayer) {
    // SAFETY: the frame fits the plan.
    unsafe {
        for i in 0..op.n_out {
            let d = lanes(frame.derivative::<R>(PlanRow(op.out.0 + i)), R::LANES);
            for j in 0..op.n_in {
                let x = lanes(frame.value::<R>(PlanRow(op.input.0 + j)), R::LANES);
                let slot = WeightSlot(op.weights.0 + i * op.n_in + j);
                *frame.count::<R>(slot) += dot(d, x);
            }
        }
    }
}

/// The sum of products, in eight strands that vectorise.
#[inline(always)]
pub(super) fn dot<R: Real>(left: &[R], right: &[R]) -> R {
    let mut strands = [R::ZERO; 8];
    for (left, right) in left.chunks_exact(8).zip(right.chunks_exact(8)) {
        for (strand, (&l, &r)) in strands.iter_mut().zip(left.iter().zip(right)) {
            *strand += l * r;
        }
    }
    strands.into_iter().fold(R::ZERO, |sum, part| sum + part)
}
