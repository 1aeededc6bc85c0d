//! All rows of a call, tile by tile: what `LikelihoodWorker` of the runtime does around kernels.

use super::environment::{enter_environment, read_environment, write_environment};
use super::facts::{WeightsHead, facts};
use super::fill::fill;
use super::layout::{ALIGN, PlanRows};
use super::reference::log_row;
use super::second_look::bound_losses;
use crate::kernel::{Frame, Real, covers_losses, log_scaled};
use pelton_macros::only_generated;

/// What the function gives.
pub(super) mod status {
    pub(in super::super) const OK: i32 = 0;
    pub(in super::super) const CELL: i32 = 1;
    pub(in super::super) const MEMORY: i32 = 2;
    pub(in super::super) const WEIGHTS: i32 = 3;
}

/// Runs the drivers of the plan.
#[only_generated]
fn run_forward(frame: *const Frame);

/// Evaluates rows; says in `fault`, unless that is null, which cell is no value. Gives a
/// status.
#[only_generated]
pub(super) fn evaluate<R: Real>(
    block: *const u8,
    rows: *const f64,
    n_rows: usize,
    out: *mut f64,
    workspace: *mut u8,
    fault: *mut u64,
) -> i32 {
    // No rows need no memory, which may be null then.
    if n_rows == 0 {
        return status::OK;
    }
    let (facts, n_lanes) = (facts(), R::LANES);
    let layout = &facts.layout;
    let work = ((workspace as usize + ALIGN - 1) & !(ALIGN - 1)) as *mut u8;
    let frame = work.add(layout.frame).cast::<Frame>();
    start_frame::<R>(frame, work, &layout.first, block);
    let soft = work.add(layout.soft).cast::<u64>();
    for row in 0..facts.n_code_rows {
        *soft.add(row) = 0;
    }
    // A root without exponents has zeros.
    let exponents = work.add(layout.root_exponents).cast::<i32>();
    for lane in lanes(n_lanes) {
        *exponents.add(lane) = 0;
    }
    let mut first = 0;
    while first < n_rows {
        let left = n_rows - first;
        let n = if left < n_lanes { left } else { n_lanes };
        let tile = rows.add(first * facts.n_variables);
        let wrong = fill_tile::<R>(tile, n, work, &layout.first);
        if wrong >= 0 {
            report_cell(first, wrong as u64, fault);
            return status::CELL;
        }
        let lost = run_watched(frame);
        write_results::<R>(block, tile, n, work, lost, out.add(first));
        first += n_lanes;
    }
    status::OK
}

/// Points a frame to the buffers of one plan, and fills the row of ones. What only some
/// passes use is null.
#[only_generated]
pub(super) fn start_frame<R: Real>(
    frame: *mut Frame,
    work: *mut u8,
    rows: &PlanRows,
    block: *const u8,
) {
    let (facts, words) = (facts(), frame.cast::<u64>());
    for at in 0..size_of::<Frame>() / 8 {
        *words.add(at) = 0;
    }
    let layout = &facts.layout;
    (*frame).values = work.add(rows.values);
    (*frame).exponents = work.add(rows.exponents).cast::<i32>();
    (*frame).factors = work.add(rows.factors);
    (*frame).codes = work.add(layout.codes).cast::<u32>();
    (*frame).soft = work.add(layout.soft).cast::<*const u8>();
    (*frame).reals = work.add(layout.reals).cast::<f64>();
    (*frame).statistics = work.add(layout.leaf_logs).cast::<f64>();
    (*frame).lost = work.add(layout.lost).cast::<u64>();
    (*frame).weights = block.add(facts.weights);
    (*frame).densities = block.cast::<()>();
    let (ones, n_lanes) = (work.add(rows.values).cast::<R>(), R::LANES);
    for lane in lanes(n_lanes) {
        *ones.add(lane) = R::ONE;
    }
}

#[only_generated]
pub(super) fn fill_tile<R: Real>(
    tile: *const f64,
    n: usize,
    work: *mut u8,
    rows: &PlanRows,
) -> i64 {
    let layout = &facts().layout;
    let codes = work.add(layout.codes).cast::<u32>();
    let reals = work.add(layout.reals).cast::<f64>();
    fill::<R>(tile, n, work.add(rows.values), codes, reals)
}

/// Says which row and which variable.
#[only_generated]
fn report_cell(first: usize, wrong: u64, fault: *mut u64) {
    let n = facts().n_variables as u64;
    if !fault.is_null() {
        *fault = wrong / n + first as u64;
        *fault.add(1) = wrong % n;
    }
}

/// Runs the pass; gives a bit for each sample in which something may be lost.
#[only_generated]
fn run_watched(frame: *const Frame) -> u64 {
    *(*frame).lost = 0;
    let before = enter_environment();
    run_forward(frame);
    let after = read_environment();
    write_environment(before);
    if after & facts().flags.underflow != 0 {
        return u64::MAX;
    }
    *(*frame).lost
}

/// The logarithm of each sample's root, or of the reference where that may be wrong.
#[only_generated]
fn write_results<R: Real>(
    block: *const u8,
    tile: *const f64,
    n: usize,
    work: *mut u8,
    lost: u64,
    out: *mut f64,
) {
    let (facts, head) = (facts(), block.cast::<WeightsHead>());
    let layout = &facts.layout;
    let roots = work.add(layout.first.root).cast::<R>();
    let exponents = work.add(layout.root_exponents).cast::<i32>();
    let losses = work.add(layout.losses).cast::<f64>();
    let logs = work.add(layout.unit_logs).cast::<f64>();
    // The first sample that asks for it has all of the tile bounded.
    let mut is_bounded = false;
    for lane in 0..n {
        let (root, exponent) = (*roots.add(lane) as f64, *exponents.add(lane) as f64);
        let mut log = log_scaled(root, exponent);
        // Weights that do not fit the precision leave everything to the reference.
        let mut is_good = log < f64::INFINITY && head.is_faithful != 0;
        if is_good && (lost >> lane) & 1 != 0 {
            is_good = covers_losses(root, exponent, head.log2_least);
            if !is_good {
                if !is_bounded {
                    bound_losses::<R>(block, tile, n, work);
                    is_bounded = true;
                }
                is_good = *losses.add(lane) <= facts.tolerance;
            }
        }
        if !is_good {
            log = log_row(block, tile.add(lane * facts.n_variables), logs);
        }
        *out.add(lane) = log - head.log_divisor;
    }
}
