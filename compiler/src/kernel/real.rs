//! The two precisions of the kernels.

use super::ROW_BYTES;

/// The number type that kernels compute in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Single precision; totals are double all the same.
    #[default]
    F32,
    /// Double precision throughout.
    F64,
}

impl Precision {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::F64 => "f64",
        }
    }

    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Precision::F32 => 4,
            Precision::F64 => 8,
        }
    }

    /// Samples in a row.
    pub fn lanes(self) -> usize {
        ROW_BYTES / self.bytes()
    }
}

/// `f32` or `f64`.
pub trait Real:
    Copy
    + Default
    + PartialOrd
    + std::fmt::Debug
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::AddAssign
    + std::ops::MulAssign
    + Send
    + Sync
    + 'static
{
    /// Which of the two.
    const PRECISION: Precision;
    /// Samples in a row.
    const LANES: usize = ROW_BYTES / size_of::<Self>();
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
    /// The exponent of the smallest normal number.
    const MIN_EXPONENT: i32;

    /// The nearest number.
    fn from_f64(value: f64) -> Self;
    /// The same number.
    fn to_f64(self) -> f64;
    /// The exponent field less its bias: `floor(log2 self)` of a positive normal
    /// number; what is subnormal counts as one below the smallest.
    fn exponent(self) -> i32;
    /// `2^exponent`, exact; 0 below [`Real::MIN_EXPONENT`], infinity above the largest.
    fn power_of_two(exponent: i32) -> Self;
}

impl Real for f32 {
    const PRECISION: Precision = Precision::F32;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const MIN_EXPONENT: i32 = -126;

    fn from_f64(value: f64) -> Self {
        value as f32
    }

    fn to_f64(self) -> f64 {
        self.into()
    }

    fn exponent(self) -> i32 {
        (self.to_bits() >> 23 & 0xff) as i32 - 127
    }

    fn power_of_two(exponent: i32) -> Self {
        f32::from_bits(((exponent + 127).clamp(0, 255) as u32) << 23)
    }
}

impl Real for f64 {
    const PRECISION: Precision = Precision::F64;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const MIN_EXPONENT: i32 = -1022;

    fn from_f64(value: f64) -> Self {
        value
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn exponent(self) -> i32 {
        (self.to_bits() >> 52 & 0x7ff) as i32 - 1023
    }

    fn power_of_two(exponent: i32) -> Self {
        f64::from_bits(((exponent + 1023).clamp(0, 2047) as u64) << 52)
    }
}
