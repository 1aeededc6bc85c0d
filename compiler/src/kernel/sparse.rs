//! Segments of single sums, in plain loops.

use super::dense::{dot, larger};
use super::frame::{lanes, lanes_mut};
use super::{Frame, Real};
use crate::plan::{PlanOperation, PlanRow, SparseSegment, SparseSum, WeightSlot};

/// `out = sum_t w[t] * a[t] (* b[t])`
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn forward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the caller's promises are those of `sums`.
    unsafe { sums::<R>(frame, op, |acc, term| *acc += term) }
}

/// `out = max_t w[t] * a[t] (* b[t])`
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn max<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the caller's promises are those of `sums`.
    unsafe { sums::<R>(frame, op, |acc, term| *acc = larger(*acc, term)) }
}

/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
unsafe fn sums<R: Real>(frame: *const Frame, op: *const PlanOperation, join: impl Fn(&mut R, R)) {
    // SAFETY: the frame fits the plan that the operation belongs to; a sum's row
    // is none of its factors.
    unsafe {
        let (frame, PlanOperation::Sparse(op)) = (&*frame, &*op) else {
            return;
        };
        for sum in op.sums() {
            let mut acc = R::row(R::ZERO);
            for (t, factors) in (0..).zip(sum.factors.chunks_exact(sum.arity as usize)) {
                let weight = *frame.weight::<R>(WeightSlot(sum.weights.0 + t));
                let term = term::<R>(frame, factors);
                for (acc, &x) in acc.as_mut().iter_mut().zip(term.as_ref()) {
                    join(acc, weight * x);
                }
            }
            lanes_mut(frame.value::<R>(sum.out), R::LANES).copy_from_slice(acc.as_ref());
        }
    }
}

/// The product of a term's factors.
///
/// # Safety
/// The frame has the rows.
#[inline(always)]
unsafe fn term<R: Real>(frame: &Frame, factors: &[u32]) -> R::Lanes {
    let mut term = R::row(R::ONE);
    for &factor in factors {
        // SAFETY: as demanded of the caller.
        let row = unsafe { lanes(frame.value::<R>(PlanRow(factor)), R::LANES) };
        for (term, &x) in term.as_mut().iter_mut().zip(row) {
            *term *= x;
        }
    }
    term
}

/// Derivatives of the factors, and counts; the last sum goes first.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn backward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Sparse(op)) = (&*frame, &*op) else {
            return;
        };
        for run in op.runs().into_iter().rev() {
            for sum in run.sums(op).rev() {
                backward_sum::<R>(frame, sum);
            }
        }
    }
}

/// # Safety
/// See [`OpFn`](super::OpFn).
unsafe fn backward_sum<R: Real>(frame: &Frame, sum: SparseSum<'_>) {
    // SAFETY: the frame fits the plan; derivatives are written one row at a
    // time, and the sum's own is none of its factors'.
    unsafe {
        let d = lanes(frame.derivative::<R>(sum.out), R::LANES);
        for (t, factors) in (0..).zip(sum.factors.chunks_exact(sum.arity as usize)) {
            let slot = WeightSlot(sum.weights.0 + t);
            if frame.has_counts() {
                let term = term::<R>(frame, factors);
                *frame.count::<R>(slot) += dot(d, term.as_ref());
            }
            let weight = *frame.weight::<R>(slot);
            for (k, &factor) in factors.iter().enumerate() {
                let others = match factors.len() {
                    1 => R::row(R::ONE),
                    _ => self::term::<R>(frame, &factors[1 - k..2 - k]),
                };
                let into = lanes_mut(frame.derivative::<R>(PlanRow(factor)), R::LANES);
                for ((into, &d), &other) in into.iter_mut().zip(d).zip(others.as_ref()) {
                    *into += d * weight * other;
                }
            }
        }
    }
}

/// Sums of equal shape that follow each other.
#[derive(Clone, Copy)]
pub(super) struct SparseRun {
    /// Where the first sum is among [`SparseSegment::words`].
    pub first: usize,
    pub n_terms: usize,
    pub arity: usize,
    pub n_sums: usize,
}

impl SparseRun {
    /// Words of a sum.
    pub fn stride(&self) -> usize {
        2 + self.n_terms * self.arity
    }

    fn sums<'a>(self, op: &'a SparseSegment) -> impl DoubleEndedIterator<Item = SparseSum<'a>> {
        let words = &op.words[self.first..self.first + self.n_sums * self.stride()];
        words.chunks_exact(self.stride()).map(move |sum| SparseSum {
            out: PlanRow(sum[0]),
            weights: WeightSlot(sum[1]),
            arity: self.arity as u32,
            factors: &sum[2..],
        })
    }
}

impl SparseSegment {
    /// The runs in order. A segment has few of them, so that a backward pass may
    /// look them up before it goes the other way.
    pub(super) fn runs(&self) -> smallvec::SmallVec<[SparseRun; 16]> {
        let mut runs = smallvec::SmallVec::new();
        let mut at = 0;
        while let Some(&[n_terms, arity, n_sums]) = self.words.get(at..at + 3) {
            let run = SparseRun {
                first: at + 3,
                n_terms: n_terms as usize,
                arity: arity as usize,
                n_sums: n_sums as usize,
            };
            at = run.first + run.n_sums * run.stride();
            runs.push(run);
        }
        runs
    }
}
