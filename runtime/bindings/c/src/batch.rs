//! Rows of the caller.

use crate::error::CallFailure;
use crate::guard::{CallResult, check, slice, text};
use pelton::{Batch, Element};
use std::ffi::{c_char, c_void};

/// Cells are `double`.
pub const PELTON_F64: u32 = 0;
/// Cells are `float`.
pub const PELTON_F32: u32 = 1;

/// Rows of cells, which belong to the caller. What is left 0 or null has its usual meaning.
#[repr(C)]
pub struct pelton_batch {
    /// The cells, row by row. NaN is missing. Of a `bool` variable 0 or 1, of categories
    /// the position in which they are declared, from 0.
    pub cells: *const c_void,
    /// `PELTON_F64` or `PELTON_F32`.
    pub cell_type: u32,
    /// Number of rows.
    pub n_rows: usize,
    /// Number of columns.
    pub n_columns: usize,
    /// A byte for each cell, row by row: not 0 where the cell is missing, whatever it
    /// holds. May be null.
    pub mask: *const u8,
    /// The variables that the columns are; all others are missing. If null, columns are
    /// the variables in their order.
    pub names: *const *const c_char,
    /// Cells from a row to the next; 0 if there are no gaps, which is `n_columns` times the
    /// stride of columns. Rows may overlap.
    pub row_stride: usize,
    /// Cells from a column to the next; 0 if there are no gaps, which is 1, whatever the
    /// stride of rows.
    pub column_stride: usize,
}

/// Runs something on the rows of a batch.
///
/// # Safety
/// `batch` is null or points to a batch whose pointers are null or point to as many things
/// as its numbers say, which nobody writes meanwhile.
pub(crate) unsafe fn with_batch<R>(
    batch: *const pelton_batch,
    what: &str,
    run: impl FnOnce(&Batch<'_>) -> CallResult<R>,
) -> CallResult<R> {
    check(batch, 1, what)?;
    // SAFETY: not null, aligned, and the caller's promise.
    let own = unsafe { &*batch };
    match own.cell_type {
        // SAFETY: the caller's promise.
        PELTON_F64 => unsafe { typed::<f64, R>(own, what, run) },
        // SAFETY: likewise.
        PELTON_F32 => unsafe { typed::<f32, R>(own, what, run) },
        other => Err(CallFailure::usage(format!(
            "{what} has type {other}, which is none"
        ))),
    }
}

/// # Safety
/// As for [`with_batch`].
unsafe fn typed<T: Element, R>(
    own: &pelton_batch,
    what: &str,
    run: impl FnOnce(&Batch<'_>) -> CallResult<R>,
) -> CallResult<R> {
    let too_large = || CallFailure::usage(format!("{what} is larger than all memory"));
    // Sizes of the caller are multiplied with care: what overflows is no array in memory.
    let strides = strides(own).ok_or_else(too_large)?;
    let n_cells = own
        .n_rows
        .checked_mul(own.n_columns)
        .ok_or_else(too_large)?;
    let n_spanned = match n_cells {
        0 => Some(0),
        _ => spanned(own, strides),
    };
    // SAFETY: the caller's promise, for as many cells as the strides span.
    let cells = unsafe {
        let cells = own.cells.cast::<T>();
        slice(
            cells,
            n_spanned.ok_or_else(too_large)?,
            "the array of cells",
        )?
    };
    let mut batch = Batch::new(cells, own.n_rows, own.n_columns).strides(strides.0, strides.1);
    if !own.mask.is_null() {
        // SAFETY: the caller's promise.
        batch = batch.mask(unsafe { slice(own.mask, n_cells, "the mask") }?);
    }
    if own.names.is_null() {
        return run(&batch);
    }
    // SAFETY: the caller's promise.
    let names = unsafe { slice(own.names, own.n_columns, "the names of columns") }?;
    // SAFETY: likewise.
    let names = names
        .iter()
        .map(|&name| unsafe { text(name, "the name of a column") });
    let names: Vec<&str> = names.collect::<CallResult<_>>()?;
    run(&batch.names(&names))
}

/// Cells from a row and from a column to the next. Each has a meaning of its own if it is 0:
/// one that is given must not change what the other means.
fn strides(own: &pelton_batch) -> Option<(usize, usize)> {
    let along = own.column_stride.max(1);
    match own.row_stride {
        0 => Some((own.n_columns.checked_mul(along)?, along)),
        down => Some((down, along)),
    }
}

/// Cells from the first to the last one, both included.
fn spanned(own: &pelton_batch, strides: (usize, usize)) -> Option<usize> {
    let down = strides.0.checked_mul(own.n_rows - 1)?;
    let along = strides.1.checked_mul(own.n_columns - 1)?;
    down.checked_add(along)?.checked_add(1)
}
