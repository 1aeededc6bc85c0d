//! Exponents: rescaling and adding, in plain loops.

use super::dense::larger;
use super::frame::{lanes, lanes_mut};
use super::{Frame, Real};
use crate::plan::{PlanOperation, PlanRow, ScaleClass, ScopeRescale};

/// The exponent of a class without positive values: below all others.
const NOTHING: i32 = i32::MIN;

/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn forward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: as demanded of the caller.
    unsafe { forward_tile::<R>(frame, op) }
}

/// Puts the rows of one scope on a common exponent.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
pub(super) unsafe fn forward_tile<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to; the new
    // exponents may replace those of a class, so they are written last.
    unsafe {
        let (frame, PlanOperation::Rescale(op)) = (&*frame, &*op) else {
            return;
        };
        let exponents = new_exponents::<R>(frame, op);
        for class in &op.classes {
            *frame.lost |= set_factors::<R>(frame, class, exponents.as_ref());
            scale::<R>(frame, class, |frame, row| frame.value::<R>(row));
        }
        let out = lanes_mut(frame.exponent::<R>(op.exponent), R::LANES);
        out.copy_from_slice(&exponents[..R::LANES]);
    }
}

/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn backward<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: as demanded of the caller.
    unsafe { backward_tile::<R>(frame, op) }
}

/// Scales the derivatives of a class's rows by its factor.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
pub(super) unsafe fn backward_tile<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Rescale(op)) = (&*frame, &*op) else {
            return;
        };
        for class in &op.classes {
            scale::<R>(frame, class, |frame, row| frame.derivative::<R>(row));
        }
    }
}

/// # Safety
/// See [`OpFn`](super::OpFn).
pub(super) unsafe extern "C" fn add<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: as demanded of the caller.
    unsafe { add_tile::<R>(frame, op) }
}

/// `exponent = sum of inputs`
///
/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
pub(super) unsafe fn add_tile<R: Real>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to; the sum may
    // replace one of its inputs, so it is written last.
    unsafe {
        let (frame, PlanOperation::AddExponents(op)) = (&*frame, &*op) else {
            return;
        };
        let mut sum = [0_i32; 64];
        for &input in &op.inputs {
            let input = lanes(frame.exponent::<R>(input), R::LANES);
            for (sum, &input) in sum.iter_mut().zip(input) {
                *sum = sum.wrapping_add(input);
            }
        }
        let out = lanes_mut(frame.exponent::<R>(op.exponent), R::LANES);
        out.copy_from_slice(&sum[..R::LANES]);
    }
}

/// The largest exponent of any class; if all are zero, the first class's own.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
unsafe fn new_exponents<R: Real>(frame: &Frame, op: &ScopeRescale) -> [i32; 64] {
    let mut largest = [NOTHING; 64];
    let mut first = [0; 64];
    for (idx, class) in op.classes.iter().enumerate() {
        // SAFETY: the frame fits the plan.
        unsafe {
            let old = old_exponents::<R>(frame, class);
            if idx == 0 {
                first = old;
            }
            let maximum = maximum::<R>(frame, class);
            let samples = largest.iter_mut().zip(&old).zip(maximum.as_ref());
            for ((largest, &old), &maximum) in samples {
                let own = if maximum > R::ZERO {
                    old.wrapping_add(maximum.exponent())
                } else {
                    NOTHING
                };
                *largest = own.max(*largest);
            }
        }
    }
    for (largest, first) in largest.iter_mut().zip(first) {
        if *largest == NOTHING {
            *largest = first;
        }
    }
    largest
}

/// Computes and keeps the factors of a class; answers which samples lost values.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
unsafe fn set_factors<R: Real>(frame: &Frame, class: &ScaleClass, exponents: &[i32]) -> u64 {
    // SAFETY: the frame fits the plan.
    unsafe {
        let old = old_exponents::<R>(frame, class);
        let maximum = maximum::<R>(frame, class);
        let factors = lanes_mut(frame.factor::<R>(class.factor), R::LANES);
        let mut lost = 0;
        for (lane, factor) in factors.iter_mut().enumerate() {
            let shift = i64::from(old[lane]) - i64::from(exponents[lane]);
            // Only a class that is zero can have a factor beyond the largest.
            let largest = i64::from(1 - R::MIN_EXPONENT);
            *factor = R::power_of_two(shift.clamp(-4096, largest) as i32);
            let is_lost = *factor == R::ZERO && maximum.as_ref()[lane] > R::ZERO;
            lost |= u64::from(is_lost) << lane;
        }
        lost
    }
}

/// The exponents that the rows of a class had so far.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
unsafe fn old_exponents<R: Real>(frame: &Frame, class: &ScaleClass) -> [i32; 64] {
    let mut old = [0; 64];
    if let Some(id) = class.exponent {
        // SAFETY: the frame fits the plan.
        let row = unsafe { lanes(frame.exponent::<R>(id), R::LANES) };
        old[..R::LANES].copy_from_slice(row);
    }
    old
}

/// The maximum of a class's rows, by sample.
///
/// # Safety
/// See [`OpFn`](super::OpFn).
#[inline(always)]
unsafe fn maximum<R: Real>(frame: &Frame, class: &ScaleClass) -> R::Lanes {
    let mut maximum = R::row(R::ZERO);
    for row in rows_of(class) {
        // SAFETY: the frame fits the plan.
        let row = unsafe { lanes(frame.value::<R>(row), R::LANES) };
        for (maximum, &x) in maximum.as_mut().iter_mut().zip(row) {
            *maximum = larger(x, *maximum);
        }
    }
    maximum
}

/// Multiplies rows of a class by its factors.
///
/// # Safety
/// See [`OpFn`](super::OpFn); `row_of` points to whole rows.
#[inline(always)]
unsafe fn scale<R: Real>(
    frame: &Frame,
    class: &ScaleClass,
    row_of: unsafe fn(&Frame, PlanRow) -> *mut R,
) {
    // SAFETY: the frame fits the plan; factors are no rows of values.
    unsafe {
        let factors = lanes(frame.factor::<R>(class.factor), R::LANES);
        for row in rows_of(class) {
            let row = lanes_mut(row_of(frame, row), R::LANES);
            for (x, &factor) in row.iter_mut().zip(factors) {
                *x *= factor;
            }
        }
    }
}

/// All rows of a class.
pub(super) fn rows_of(class: &ScaleClass) -> impl Iterator<Item = PlanRow> + '_ {
    let runs = class.rows.iter();
    runs.flat_map(|&(first, n)| (first.0..first.0 + n).map(PlanRow))
}
