//! Kernels: what executes the operations of a plan on a tile of samples.
//!
//! All engines share one calling convention, a [`Frame`] of buffers, and one unit
//! of memory, a row of [`ROW_BYTES`] bytes: 64 samples in single, 32 in double
//! precision.

mod dense;
pub(crate) mod density;
mod executable;
mod flags;
mod frame;
mod gather;
mod loss;
mod packed;
mod pages;
mod product;
mod real;
mod rescale;
mod sparse;
mod table;
#[cfg(test)]
mod tests;
mod tile;
#[cfg(target_arch = "x86_64")]
mod wide;

pub use density::{PreparedDensities, exp2_double, n_statistics};
pub use executable::{ExecutablePlan, PlanExecutor};
pub use flags::FloatFlags;
pub use frame::Frame;
pub use loss::{covers_losses, inverse_or_zero, log_scaled, lost_part};
pub use packed::PackedWeights;
pub use pages::prefer_large_pages;
pub use real::{Precision, Real};
pub use table::KernelTable;
pub use tile::Tile;

pub use crate::reference::EvaluationPurpose;

use crate::plan::PlanOperation;

/// Bytes of a row of values: eight 256-bit vectors. Larger rows conflict in the
/// first-level cache, smaller ones make the counts of a dense block dearer.
pub const ROW_BYTES: usize = 256;

/// What is computed for a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelPass {
    /// Values of all units.
    Forward,
    /// Values with sums replaced by maxima.
    Max,
    /// Derivatives and counts; follows a forward pass.
    Backward,
}

/// A kernel for one operation.
///
/// # Safety
/// The frame's buffers have the lengths that the operation's plan asks for, and
/// the operation belongs to that plan.
pub type OpFn = unsafe extern "C" fn(frame: *const Frame, op: *const PlanOperation);
