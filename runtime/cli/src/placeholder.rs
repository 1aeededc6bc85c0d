//! The peak, until it is measured.

use pelton_compiler::kernel::Precision;

/// Width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 128
    Bits128,
    /// 256
    Bits256,
}

/// Peak.
pub fn measure(_: Width, _: Precision) -> f64 {
    1.0
}
