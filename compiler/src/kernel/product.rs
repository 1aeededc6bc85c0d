//! Runs of products, in plain loops.

use super::frame::{lanes, lanes_mut};
use super::{Frame, Real};
use crate::plan::{DerivativeWrite, PlanOperation, PlanRow, ProductRun};

/// `out[i] = factor_0[i] * factor_1[i] * …`
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn forward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to; products
    // are none of their factors.
    unsafe {
        let (frame, PlanOperation::Product(op)) = (&*frame, &*op) else {
            return;
        };
        for i in 0..op.n {
            let product = others::<R>(frame, op, i, usize::MAX);
            let out = lanes_mut(frame.value::<R>(PlanRow(op.out.0 + i)), R::LANES);
            out.copy_from_slice(product.as_ref());
        }
    }
}

/// `d[factor_k[i]] (+)= d[out[i]] * product of the other factors`
///
/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn backward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to; products
    // are none of their factors.
    unsafe {
        let (frame, PlanOperation::Product(op)) = (&*frame, &*op) else {
            return;
        };
        for i in 0..op.n {
            let d = lanes(frame.derivative::<R>(PlanRow(op.out.0 + i)), R::LANES);
            for (k, &(factor, flow)) in op.factors.iter().enumerate() {
                if flow == DerivativeWrite::Skip {
                    continue;
                }
                let others = others::<R>(frame, op, i, k);
                let into = lanes_mut(frame.derivative::<R>(PlanRow(factor.0 + i)), R::LANES);
                for ((into, &d), &other) in into.iter_mut().zip(d).zip(others.as_ref()) {
                    let part = d * other;
                    *into = if flow == DerivativeWrite::Add {
                        *into + part
                    } else {
                        part
                    };
                }
            }
        }
    }
}

/// The product of all factors but one, for the `i`-th product.
///
/// # Safety
/// The frame has the rows.
#[inline(always)]
unsafe fn others<R: Real>(frame: &Frame, op: &ProductRun, i: u32, except: usize) -> R::Lanes {
    let mut product = R::row(R::ONE);
    let factors = op.factors.iter().enumerate();
    for (_, &(factor, _)) in factors.filter(|(k, _)| *k != except) {
        // SAFETY: as demanded of the caller.
        let row = unsafe { lanes(frame.value::<R>(PlanRow(factor.0 + i)), R::LANES) };
        for (product, &x) in product.as_mut().iter_mut().zip(row) {
            *product *= x;
        }
    }
    product
}
