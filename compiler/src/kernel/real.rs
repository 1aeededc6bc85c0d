//! The two precisions of the kernels.

use super::ROW_BYTES;
use super::density::{exp2_double, exp2_single};

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
    /// The numbers of a row, by value.
    type Lanes: Copy + AsRef<[Self]> + AsMut<[Self]>;

    /// The nearest number.
    fn from_f64(value: f64) -> Self;
    /// The same number.
    fn to_f64(self) -> f64;
    /// The exponent field less its bias: `floor(log2 self)` of a positive normal
    /// number; what is subnormal counts as one below the smallest.
    fn exponent(self) -> i32;
    /// `2^exponent`, exact; 0 below [`Real::MIN_EXPONENT`], infinity above the largest.
    fn power_of_two(exponent: i32) -> Self;
    /// A row that holds `value` for every sample.
    fn row(value: Self) -> Self::Lanes;
    /// `2^power` for a power from [`Real::MIN_EXPONENT`] on; 0 below, infinity
    /// where the result is too large. Within 2 units of the last place in single,
    /// and 1e-15 in double precision. Made for loops that vectorise.
    fn from_log2(power: f64) -> Self;
}

/// A precision by its bits: how many the fraction has, the mask of the exponent, its bias.
macro_rules! real {
    ($real:ident, $bits:ident, $precision:ident, $fraction:literal, $mask:literal, $bias:literal,
     $exp2:ident) => {
        impl Real for $real {
            type Lanes = [$real; ROW_BYTES / size_of::<$real>()];
            const PRECISION: Precision = Precision::$precision;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const MIN_EXPONENT: i32 = 1 - $bias;

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $real
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }

            #[inline(always)]
            fn exponent(self) -> i32 {
                (self.to_bits() >> $fraction & $mask) as i32 - $bias
            }

            #[inline(always)]
            fn power_of_two(exponent: i32) -> Self {
                $real::from_bits(((exponent + $bias).clamp(0, $mask) as $bits) << $fraction)
            }

            #[inline(always)]
            fn row(value: Self) -> Self::Lanes {
                [value; _]
            }

            #[inline(always)]
            fn from_log2(power: f64) -> Self {
                $exp2(power)
            }
        }
    };
}

real!(f32, u32, F32, 23, 0xff, 127, exp2_single);
real!(f64, u64, F64, 52, 0x7ff, 1023, exp2_double);
