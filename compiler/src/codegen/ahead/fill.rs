//! From rows to evidence, with a look at every cell.

use super::emitter::any;
use super::facts::{VariableFacts, facts, variables};
use super::structure::evidence;
use crate::kernel::{ROW_BYTES, Real};
use pelton_macros::only_generated;

/// Fills the buffers of a tile with its rows; samples beyond the last row repeat it. Gives
/// -1, or which cell is no value of its variable, counted from the first of the tile.
#[only_generated]
pub(super) fn fill<R: Real>(
    rows: *const f64,
    n_rows: usize,
    values: *mut u8,
    codes: *mut u32,
    reals: *mut f64,
) -> i64 {
    let n_variables = facts().n_variables;
    for number in 0..n_variables {
        let (column, variable) = (rows.add(number), variables().add(number));
        let is_whole = n_rows == R::LANES;
        let is_done = is_whole && fill_quads::<R>(variable, column, n_variables, values, reals);
        if !is_done {
            let row = fill_cells::<R>(variable, column, n_rows, values, codes, reals);
            if row < n_rows {
                return (row * n_variables + number) as i64;
            }
        }
    }
    -1
}

/// Fills a whole tile four samples at a time; false where that is not possible or a cell
/// is wrong, to be found one by one.
#[only_generated]
fn fill_quads<R: Real>(
    variable: &VariableFacts,
    column: *const f64,
    n_variables: usize,
    values: *mut u8,
    reals: *mut f64,
) -> bool {
    let place = variable.place as usize;
    if variable.kind == evidence::WEIGHTS {
        let first = values.add(place * ROW_BYTES);
        return fill_weights::<R>(variable, column, n_variables, first.cast::<R>());
    }
    if variable.kind == evidence::REALS && variable.is_discrete == 0 {
        return fill_reals::<R>(column, n_variables, reals.add(place * R::LANES));
    }
    false
}

#[only_generated]
fn fill_reals<R: Real>(column: *const f64, n_variables: usize, row: *mut f64) -> bool {
    let (n_lanes, mut is_wrong) = (R::LANES, false);
    for lane in lanes(n_lanes) {
        let x = *column.add(lane * n_variables);
        *row.add(lane) = x;
        is_wrong |= any(!(x.is_finite() | x.is_nan()));
    }
    !is_wrong
}

/// 1 for the value that was observed and 0 for others; 1 for all of a missing cell.
#[only_generated]
fn fill_weights<R: Real>(
    variable: &VariableFacts,
    column: *const f64,
    n_variables: usize,
    first: *mut R,
) -> bool {
    let (n_lanes, mut is_wrong) = (R::LANES, false);
    let n_values = variable.n_values as usize;
    for lane in lanes(n_lanes) {
        let x = *column.add(lane * n_variables);
        let is_missing = x.is_nan();
        let (mut value, mut is_known) = (variable.low, is_missing);
        for code in 0..n_values {
            let is_value = x == value;
            let row = first.add(code * R::LANES);
            *row.add(lane) = if is_value | is_missing {
                R::ONE
            } else {
                R::ZERO
            };
            is_known |= is_value;
            value += 1.0;
        }
        is_wrong |= any(!is_known);
    }
    !is_wrong
}

/// Gives the first row whose cell is neither missing nor a value, or the number of lanes.
#[only_generated]
fn fill_cells<R: Real>(
    variable: &VariableFacts,
    column: *const f64,
    n_rows: usize,
    values: *mut u8,
    codes: *mut u32,
    reals: *mut f64,
) -> usize {
    let (n_lanes, place, n_values) = (R::LANES, variable.place as usize, variable.n_values);
    let first = values.add(place * ROW_BYTES).cast::<R>();
    for lane in 0..n_lanes {
        let last = n_rows - 1;
        let row = if lane < last { lane } else { last };
        let x = *column.add(row * facts().n_variables);
        let code = (x - variable.low) as i64;
        let is_missing = x.is_nan();
        if !(is_missing || is_value(variable, x, code)) {
            return row;
        }
        let code = if is_missing { n_values } else { code as u32 };
        if variable.kind == evidence::WEIGHTS {
            for value in 0..n_values {
                let weight = first.add(value as usize * R::LANES + lane);
                let is_possible = is_missing | (value == code);
                *weight = if is_possible { R::ONE } else { R::ZERO };
            }
        }
        if variable.kind == evidence::CODES {
            *codes.add(place * R::LANES + lane) = code;
        }
        if variable.kind == evidence::REALS {
            *reals.add(place * R::LANES + lane) = x;
        }
    }
    usize::MAX
}

/// Whether a number is an integer of the domain, or finite. `code` is its distance from
/// the first value if it is an integer.
#[only_generated]
fn is_value(variable: &VariableFacts, x: f64, code: i64) -> bool {
    if variable.is_discrete == 0 {
        return x.is_finite();
    }
    let low = variable.low;
    x >= low && x < variable.high && code as f64 + low == x
}
