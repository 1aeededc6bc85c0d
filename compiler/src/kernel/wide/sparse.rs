//! Segments of single sums: a whole row of accumulators at a time.
//!
//! Each sum reads every row of its terms once, so that loads are the limit.
//! Loops over terms have a constant length where sums are short; runs of equal
//! shape then have no branch that could be mispredicted.

use super::dense::TermJoin;
use super::simd::{Simd, VECTORS, load_row, row, store_row};
use crate::kernel::Frame;
use crate::kernel::sparse::SparseRun;
use crate::plan::{PlanOperation, PlanRow, SparseSegment, WeightSlot};

/// The number of terms of a run that has no loop of its own.
const ANY: usize = 0;

/// Sums this far ahead have the derivatives of their factors fetched into the
/// cache. A backward pass of a circuit with 100,000 terms gained a fifth by it on
/// Zen 3; forward passes lost as much as they gained.
const AHEAD: usize = 8;

/// Asks for a row before it is needed.
///
/// # Safety
/// See [`Simd`].
#[inline(always)]
unsafe fn fetch<S: Simd>(row: *const S) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: as demanded of the caller.
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(row.cast());
        _mm_prefetch::<_MM_HINT_T0>(row.byte_add(128).cast());
    }
}

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn); only inside a function that enables AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn forward<S: Simd, J: TermJoin>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Sparse(op)) = (&*frame, &*op) else {
            return;
        };
        for run in op.runs() {
            match (run.arity, run.n_terms) {
                (1, 1) => forward_run::<S, J, 1, 1>(frame, op, run),
                (1, 2) => forward_run::<S, J, 1, 2>(frame, op, run),
                (1, 3) => forward_run::<S, J, 1, 3>(frame, op, run),
                (1, 4) => forward_run::<S, J, 1, 4>(frame, op, run),
                (1, _) => forward_run::<S, J, 1, ANY>(frame, op, run),
                (_, 1) => forward_run::<S, J, 2, 1>(frame, op, run),
                (_, 2) => forward_run::<S, J, 2, 2>(frame, op, run),
                (_, 3) => forward_run::<S, J, 2, 3>(frame, op, run),
                (_, 4) => forward_run::<S, J, 2, 4>(frame, op, run),
                (_, _) => forward_run::<S, J, 2, ANY>(frame, op, run),
            }
        }
    }
}

/// # Safety
/// The run belongs to the operation and has the shape `A` by `N`; see [`Simd`].
#[inline(always)]
unsafe fn forward_run<S: Simd, J: TermJoin, const A: usize, const N: usize>(
    frame: &Frame,
    op: &SparseSegment,
    run: SparseRun,
) {
    let n_terms = if N == ANY { run.n_terms } else { N };
    let stride = 2 + n_terms * A;
    // SAFETY: the words of the run are rows and slots of the plan.
    unsafe {
        let values = frame.value::<S>(PlanRow(0));
        let mut words = op.words.as_ptr().add(run.first);
        for _ in 0..run.n_sums {
            let weights = frame.weight::<S>(WeightSlot(*words.add(1)));
            let mut acc = [S::zero(); VECTORS];
            for t in 0..n_terms {
                let factors = words.add(2 + t * A);
                let weight = S::splat(weights.add(t));
                let first = row(values, *factors as usize);
                for (v, acc) in acc.iter_mut().enumerate() {
                    let mut x = S::load(first.add(v * S::WIDTH));
                    if A == 2 {
                        let second = row(values, *factors.add(1) as usize);
                        x = S::times(x, S::load(second.add(v * S::WIDTH)));
                    }
                    *acc = J::join::<S>(*acc, weight, x);
                }
            }
            let out = row(values, *words as usize).cast_mut();
            store_row(out, acc);
            words = words.add(stride);
        }
    }
}

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn); only inside a function that enables AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn backward<S: Simd>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Sparse(op)) = (&*frame, &*op) else {
            return;
        };
        for run in op.runs().into_iter().rev() {
            match (run.arity, run.n_terms) {
                (1, 1) => backward_run::<S, 1, 1>(frame, op, run),
                (1, 2) => backward_run::<S, 1, 2>(frame, op, run),
                (1, 3) => backward_run::<S, 1, 3>(frame, op, run),
                (1, 4) => backward_run::<S, 1, 4>(frame, op, run),
                (1, _) => backward_run::<S, 1, ANY>(frame, op, run),
                (_, 1) => backward_run::<S, 2, 1>(frame, op, run),
                (_, 2) => backward_run::<S, 2, 2>(frame, op, run),
                (_, 3) => backward_run::<S, 2, 3>(frame, op, run),
                (_, 4) => backward_run::<S, 2, 4>(frame, op, run),
                (_, _) => backward_run::<S, 2, ANY>(frame, op, run),
            }
        }
    }
}

/// # Safety
/// The run belongs to the operation and has the shape `A` by `N`; see [`Simd`].
#[inline(always)]
unsafe fn backward_run<S: Simd, const A: usize, const N: usize>(
    frame: &Frame,
    op: &SparseSegment,
    run: SparseRun,
) {
    let n_terms = if N == ANY { run.n_terms } else { N };
    let stride = 2 + n_terms * A;
    // SAFETY: the words of the run are rows and slots of the plan.
    unsafe {
        for sum in (0..run.n_sums).rev() {
            let words = op.words.as_ptr().add(run.first + sum * stride);
            if sum >= AHEAD {
                let next = words.sub(AHEAD * stride);
                for at in 2..stride {
                    fetch(frame.derivative::<S>(PlanRow(*next.add(at))));
                }
            }
            let d: [S::V; VECTORS] = load_row(frame.derivative::<S>(PlanRow(*words)));
            let slot = WeightSlot(*words.add(1));
            let weights = frame.weight::<S>(slot);
            let counts = frame.counts.cast::<S>().wrapping_add(slot.0 as usize);
            let mut t = 0;
            while t < n_terms {
                let n = (n_terms - t).min(4);
                let mut group = [S::zero(); 4];
                for (k, count) in group.iter_mut().enumerate().take(n) {
                    let factors = words.add(2 + (t + k) * A);
                    *count = backward_term::<S, A>(frame, &d, weights.add(t + k), factors);
                }
                if frame.has_counts() {
                    S::add_sums(group, counts.add(t), n);
                }
                t += 4;
            }
        }
    }
}

/// Adds to the derivatives of a term's factors; the count is still to be added
/// up over the vector.
///
/// # Safety
/// The factors are rows of the plan; see [`Simd`].
#[inline(always)]
unsafe fn backward_term<S: Simd, const A: usize>(
    frame: &Frame,
    d: &[S::V; VECTORS],
    weight: *const S,
    factors: *const u32,
) -> S::V {
    // SAFETY: as demanded of the caller.
    unsafe {
        let weight = S::splat(weight);
        let a = PlanRow(*factors);
        let (x, dx) = (frame.value::<S>(a), frame.derivative::<S>(a));
        let mut count = [S::zero(); 2];
        if A == 1 {
            for (v, &d) in d.iter().enumerate() {
                let at = v * S::WIDTH;
                count[v % 2] = S::fma(d, S::load(x.add(at)), count[v % 2]);
                let sum = S::fma(weight, d, S::load(dx.add(at)));
                S::store(dx.add(at), sum);
            }
            return S::plus(count[0], count[1]);
        }
        let b = PlanRow(*factors.add(1));
        let (y, dy) = (frame.value::<S>(b), frame.derivative::<S>(b));
        for (v, &d) in d.iter().enumerate() {
            let at = v * S::WIDTH;
            let (x, y) = (S::load(x.add(at)), S::load(y.add(at)));
            let (dxy, scaled) = (S::times(d, x), S::times(weight, d));
            count[v % 2] = S::fma(dxy, y, count[v % 2]);
            S::store(dx.add(at), S::fma(scaled, y, S::load(dx.add(at))));
            S::store(dy.add(at), S::fma(scaled, x, S::load(dy.add(at))));
        }
        S::plus(count[0], count[1])
    }
}
