//! A second look at a tile in which something was lost: a pass up and down that bounds
//! what that means for each root, as `runtime/src/model/careful.rs` explains.

use super::environment::{enter_environment, write_environment};
use super::evaluate::{fill_tile, start_frame};
use super::facts::facts;
use crate::kernel::{Frame, Real, inverse_or_zero, lost_part};
use pelton_macros::only_generated;

/// Run the drivers of the plan that keeps all rows.
#[only_generated]
fn run_again(frame: *const Frame);
#[only_generated]
fn run_backward(frame: *const Frame);

/// Writes what each sample lost at most.
#[only_generated]
pub(super) fn bound_losses<R: Real>(block: *const u8, tile: *const f64, n: usize, work: *mut u8) {
    let (facts, n_lanes) = (facts(), R::LANES);
    let layout = &facts.layout;
    let frame = work.add(layout.again_frame).cast::<Frame>();
    start_frame::<R>(frame, work, &layout.again, block);
    let derivatives = work.add(layout.derivatives).cast::<R>();
    (*frame).derivatives = derivatives.cast::<u8>();
    (*frame).counts = work.add(layout.counts);
    let _filled = fill_tile::<R>(tile, n, work, &layout.again);
    let before = enter_environment();
    run_again(frame);
    // Some are added to before they are set, and those of evidence nobody sets.
    let n_numbers = facts.n_derivative_rows * R::LANES;
    for at in lanes(n_numbers) {
        *derivatives.add(at) = R::ZERO;
    }
    let roots = work.add(layout.again.root).cast::<R>();
    let starts = work.add(layout.start).cast::<R>();
    for lane in 0..n_lanes {
        *starts.add(lane) = inverse_or_zero(*roots.add(lane) as f64) as R;
    }
    run_backward(frame);
    write_environment(before);
    let losses = work.add(layout.losses).cast::<f64>();
    let smallest = 2.0_f64.powi(R::MIN_EXPONENT);
    for lane in 0..n_lanes {
        let mut total = 0.0;
        for row in 0..facts.n_derivative_rows {
            total += *derivatives.add(row * R::LANES + lane) as f64;
        }
        let (root, start) = (*roots.add(lane) as f64, *starts.add(lane) as f64);
        *losses.add(lane) = lost_part(total, root, start, facts.n_losses, smallest);
    }
}
