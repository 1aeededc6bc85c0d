//! Runs of products.

use super::simd::{Simd, VECTORS, load_row, store_row};
use crate::kernel::Frame;
use crate::plan::{DerivativeWrite, PlanOperation, PlanRow, ProductRun};

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn); only inside a function that enables AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn forward<S: Simd>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Product(op)) = (&*frame, &*op) else {
            return;
        };
        let Some((&(first, _), others)) = op.factors.split_first() else {
            return;
        };
        for i in 0..op.n {
            let mut product = load_row(frame.value::<S>(PlanRow(first.0 + i)));
            for &(factor, _) in others {
                multiply::<S>(&mut product, frame.value::<S>(PlanRow(factor.0 + i)));
            }
            store_row(frame.value::<S>(PlanRow(op.out.0 + i)), product);
        }
    }
}

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn); only inside a function that enables AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn backward<S: Simd>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Product(op)) = (&*frame, &*op) else {
            return;
        };
        match op.factors.len() {
            2 => return backward_few::<S, 2>(frame, op),
            3 => return backward_few::<S, 3>(frame, op),
            4 => return backward_few::<S, 4>(frame, op),
            5 => return backward_few::<S, 5>(frame, op),
            _ => {}
        }
        for i in 0..op.n {
            for k in 0..op.factors.len() {
                backward_factor::<S>(frame, op, i, k);
            }
        }
    }
}

/// Products of few factors, as most are: every row is read once. What stands before a
/// factor and what stands behind it are multiplied.
///
/// # Safety
/// The products have `N` factors; see [`Simd`].
#[inline(always)]
unsafe fn backward_few<S: Simd, const N: usize>(frame: &Frame, op: &ProductRun) {
    // SAFETY: the frame fits the plan that the operation belongs to; runs of rows have
    // runs of derivatives.
    unsafe {
        let d = frame.derivative::<S>(op.out);
        let values: [*mut S; N] = std::array::from_fn(|k| frame.value::<S>(op.factors[k].0));
        let derivatives: [*mut S; N] =
            std::array::from_fn(|k| frame.derivative::<S>(op.factors[k].0));
        for at in (0..op.n as usize * VECTORS).map(|v| v * S::WIDTH) {
            let x: [S::V; N] = std::array::from_fn(|k| S::load(values[k].add(at)));
            let mut parts = [S::load(d.add(at)); N];
            for k in 1..N {
                parts[k] = S::times(parts[k - 1], x[k - 1]);
            }
            let mut behind = x[N - 1];
            for k in (0..N - 1).rev() {
                parts[k] = S::times(parts[k], behind);
                behind = S::times(behind, x[k]);
            }
            for k in 0..N {
                let into = derivatives[k].add(at);
                match op.factors[k].1 {
                    DerivativeWrite::Skip => {}
                    DerivativeWrite::Set => S::store(into, parts[k]),
                    DerivativeWrite::Add => S::store(into, S::plus(parts[k], S::load(into))),
                }
            }
        }
    }
}

/// # Safety
/// The operation has the factor and the product; see [`Simd`].
#[inline(always)]
unsafe fn backward_factor<S: Simd>(frame: &Frame, op: &ProductRun, i: u32, k: usize) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (own, flow) = op.factors[k];
        if flow == DerivativeWrite::Skip {
            return;
        }
        let mut part = load_row(frame.derivative::<S>(PlanRow(op.out.0 + i)));
        for (other, &(factor, _)) in op.factors.iter().enumerate() {
            if other != k {
                multiply::<S>(&mut part, frame.value::<S>(PlanRow(factor.0 + i)));
            }
        }
        let into = frame.derivative::<S>(PlanRow(own.0 + i));
        if flow == DerivativeWrite::Add {
            for (v, part) in part.iter_mut().enumerate() {
                *part = S::plus(*part, S::load(into.add(v * S::WIDTH)));
            }
        }
        store_row(into, part);
    }
}

/// # Safety
/// See [`Simd`].
#[inline(always)]
unsafe fn multiply<S: Simd>(product: &mut [S::V; VECTORS], by: *const S) {
    for (v, product) in product.iter_mut().enumerate() {
        // SAFETY: `by` is a row.
        *product = unsafe { S::times(*product, S::load(by.add(v * S::WIDTH))) };
    }
}
