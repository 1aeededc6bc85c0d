//! The buffers of one tile.

use super::{ROW_BYTES, Real};
use crate::plan::{ExponentId, FactorId, PlanRow, WeightSlot};

/// The buffers that kernels read and write. Pointers, because compiled code reads
/// this structure; `u8` stands for rows of the kernel's precision.
///
/// Rows of values, derivatives and factors begin at multiples of 32 bytes.
#[repr(C)]
#[derive(Debug)]
pub struct Frame {
    /// [`Plan::n_rows`](crate::plan::Plan::n_rows) rows; the evidence rows are filled.
    pub values: *mut u8,
    /// As many rows; the root's is filled before a backward pass, and those of
    /// [`Plan::zeroed`](crate::plan::Plan::zeroed) are zero.
    pub derivatives: *mut u8,
    /// A number for each of [`Plan::weights`](crate::plan::Plan::weights).
    pub weights: *const u8,
    /// As many numbers, added to by backward passes; null if nobody wants counts and
    /// statistics, which only kernels that are called one by one look at.
    pub counts: *mut u8,
    /// [`Plan::n_exponents`](crate::plan::Plan::n_exponents) rows, one `i32` a sample.
    pub exponents: *mut i32,
    /// [`Plan::n_factors`](crate::plan::Plan::n_factors) rows.
    pub factors: *mut u8,
    /// [`Plan::n_code_rows`](crate::plan::Plan::n_code_rows) rows, one `u32` a sample.
    pub codes: *const u32,
    /// For each row of codes null, or soft evidence: a row for each value.
    pub soft: *const *const u8,
    /// [`Plan::n_real_rows`](crate::plan::Plan::n_real_rows) rows, one `f64` a sample.
    pub reals: *const f64,
    /// The prepared density leaves of the plan, for the density kernels: a
    /// [`PreparedDensities`](super::PreparedDensities).
    pub densities: *const (),
    /// Statistics of density leaves, added to by backward passes.
    pub statistics: *mut f64,
    /// A bit for each sample that a kernel knows to have lost a positive value.
    pub lost: *mut u64,
    /// The row of `derivatives` that belongs to each row of values; null if rows
    /// correspond one by one. Generated code takes it for null.
    pub derivative_rows: *const u32,
}

impl Frame {
    /// A frame without buffers, to be given those that a plan asks for.
    pub const fn empty() -> Self {
        use std::ptr::{null, null_mut};
        Frame {
            values: null_mut(),
            derivatives: null_mut(),
            weights: null(),
            counts: null_mut(),
            exponents: null_mut(),
            factors: null_mut(),
            codes: null(),
            soft: null(),
            reals: null(),
            densities: null(),
            statistics: null_mut(),
            lost: null_mut(),
            derivative_rows: null(),
        }
    }
}

impl Frame {
    /// Whether backward passes count.
    #[inline(always)]
    pub(super) fn has_counts(&self) -> bool {
        !self.counts.is_null()
    }
}

/// Where rows and numbers lie. Every method demands that the buffer it points
/// into has the row, in precision `R`.
impl Frame {
    /// # Safety
    /// See above.
    #[inline(always)]
    pub(super) unsafe fn value<R: Real>(&self, row: PlanRow) -> *mut R {
        // SAFETY: the buffer has the row.
        unsafe { self.values.add(row.0 as usize * ROW_BYTES).cast() }
    }

    /// # Safety
    /// See above.
    #[inline(always)]
    pub(super) unsafe fn derivative<R: Real>(&self, row: PlanRow) -> *mut R {
        // SAFETY: the buffer has the row, and the table has an entry for it.
        unsafe {
            let at = if self.derivative_rows.is_null() {
                row.0
            } else {
                *self.derivative_rows.add(row.0 as usize)
            };
            self.derivatives.add(at as usize * ROW_BYTES).cast()
        }
    }

    /// # Safety
    /// See above.
    #[inline(always)]
    pub(super) unsafe fn weight<R: Real>(&self, slot: WeightSlot) -> *const R {
        // SAFETY: the buffer has the number.
        unsafe { self.weights.cast::<R>().add(slot.0 as usize) }
    }

    /// # Safety
    /// See above.
    #[inline(always)]
    pub(super) unsafe fn count<R: Real>(&self, slot: WeightSlot) -> *mut R {
        // SAFETY: the buffer has the number.
        unsafe { self.counts.cast::<R>().add(slot.0 as usize) }
    }

    /// # Safety
    /// See above.
    #[inline(always)]
    pub(super) unsafe fn exponent<R: Real>(&self, id: ExponentId) -> *mut i32 {
        // SAFETY: the buffer has the row.
        unsafe { self.exponents.add(id.0 as usize * R::LANES) }
    }

    /// # Safety
    /// See above.
    #[inline(always)]
    pub(super) unsafe fn factor<R: Real>(&self, id: FactorId) -> *mut R {
        // SAFETY: the buffer has the row.
        unsafe { self.factors.add(id.0 as usize * ROW_BYTES).cast() }
    }
}

/// The row that begins at `first`, to read.
///
/// # Safety
/// The row exists, is initialised, and nobody writes it while the slice is used.
#[inline(always)]
pub(super) unsafe fn lanes<'a, T>(first: *const T, n: usize) -> &'a [T] {
    // SAFETY: as demanded of the caller.
    unsafe { std::slice::from_raw_parts(first, n) }
}

/// The row that begins at `first`, to write.
///
/// # Safety
/// The row exists, is initialised, and nobody else uses it while the slice is used.
#[inline(always)]
pub(super) unsafe fn lanes_mut<'a, T>(first: *mut T, n: usize) -> &'a mut [T] {
    // SAFETY: as demanded of the caller.
    unsafe { std::slice::from_raw_parts_mut(first, n) }
}
