//! Leaves with tables.

use super::dense::TermJoin;
use super::simd::{Simd, VECTORS, load_row, store_row};
use crate::kernel::Frame;
use crate::kernel::gather::{TileEvidence, table};
use crate::plan::{PlanOperation, PlanRow, TableGather};

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn); only inside a function that enables AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn forward<S: Simd, J: TermJoin>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Gather(op)) = (&*frame, &*op) else {
            return;
        };
        match TileEvidence::<S>::of(frame, op) {
            TileEvidence::Hard(codes) => look_up::<S>(frame, op, codes.as_ptr()),
            TileEvidence::Soft(soft) => join_soft::<S, J>(frame, op, soft),
        }
    }
}

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn) and [`Simd`].
#[inline(always)]
unsafe fn look_up<S: Simd>(frame: &Frame, op: &TableGather, codes: *const u32) {
    // SAFETY: as demanded of the caller.
    unsafe {
        for i in 0..op.n {
            let table = frame.weight::<S>(table(op, i));
            let out = frame.value::<S>(PlanRow(op.out.0 + i));
            for v in 0..VECTORS {
                let at = v * S::WIDTH;
                S::store(out.add(at), S::gather(table, codes.add(at)));
            }
        }
    }
}

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn) and [`Simd`].
#[inline(always)]
unsafe fn join_soft<S: Simd, J: TermJoin>(frame: &Frame, op: &TableGather, soft: *const S) {
    // SAFETY: as demanded of the caller.
    unsafe {
        for i in 0..op.n {
            let table = frame.weight::<S>(table(op, i));
            let mut acc = [S::zero(); VECTORS];
            for k in 0..op.n_values as usize {
                let weight = S::splat(table.add(k));
                for (v, acc) in acc.iter_mut().enumerate() {
                    let x = S::load(soft.add(k * S::LANES + v * S::WIDTH));
                    *acc = J::join::<S>(*acc, weight, x);
                }
            }
            store_row(frame.value::<S>(PlanRow(op.out.0 + i)), acc);
        }
    }
}

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn); only inside a function that enables AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn backward<S: Simd>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Gather(op)) = (&*frame, &*op) else {
            return;
        };
        if !frame.has_counts() {
            return;
        }
        for i in 0..op.n {
            let counts = frame.count::<S>(table(op, i));
            let d = frame.derivative::<S>(PlanRow(op.out.0 + i));
            match TileEvidence::<S>::of(frame, op) {
                // Two samples may have one code, so they go one by one.
                TileEvidence::Hard(codes) => {
                    for (lane, &code) in codes.iter().enumerate() {
                        *counts.add(code as usize) += *d.add(lane);
                    }
                }
                TileEvidence::Soft(soft) => count_soft::<S>(op, d, soft, counts),
            }
        }
    }
}

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn) and [`Simd`].
#[inline(always)]
unsafe fn count_soft<S: Simd>(op: &TableGather, d: *const S, soft: *const S, counts: *mut S) {
    // SAFETY: as demanded of the caller.
    unsafe {
        let d: [S::V; VECTORS] = load_row(d);
        for first in (0..op.n_values as usize).step_by(4) {
            let n = (op.n_values as usize - first).min(4);
            let mut group = [S::zero(); 4];
            for (k, sum) in group.iter_mut().enumerate().take(n) {
                for (v, &d) in d.iter().enumerate() {
                    let x = S::load(soft.add((first + k) * S::LANES + v * S::WIDTH));
                    *sum = S::fma(d, x, *sum);
                }
            }
            S::add_sums(group, counts.add(first), n);
        }
    }
}
