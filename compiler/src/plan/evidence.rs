//! Where a variable's evidence goes.

use super::PlanRow;

/// Domains up to this size have a row for each value.
pub const SMALL_DOMAIN: u64 = 8;

/// Finite domains up to this size are evaluated by tables: vocabularies are, the
/// range of a 32-bit number is not.
pub const TABLE_DOMAIN: u64 = 1 << 16;

/// How a variable's evidence is handed to the kernels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EvidenceLayout {
    /// No leaf mentions the variable.
    Unused,
    /// A row of weights for each value, in the value buffer.
    Weights {
        /// The row of the first value.
        first: PlanRow,
        /// Number of values.
        n_values: u32,
    },
    /// A row of codes: positions in the domain, `n_values` for a missing cell.
    Codes {
        /// Which row of codes.
        row: u32,
        /// Number of values.
        n_values: u32,
    },
    /// A row of numbers, NaN for a missing cell.
    Reals {
        /// Which row of numbers.
        row: u32,
    },
}
