//! Tails of the normal distribution, as logarithms.
//!
//! A tail is the density at its edge times a slowly falling factor. Only the factor is
//! approximated, and only the density's exponent is large: its square is computed to twice
//! the digits, so that the tail is known to the last digits of its logarithm however far
//! out it lies.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Half the logarithm of 2π.
pub(super) const HALF_LN_TAU: f64 = 0.918_938_533_204_672_7;

/// A place on the standard normal's axis, as a number and what rounding took from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct StandardScore {
    z: f64,
    rest: f64,
}

impl StandardScore {
    /// Where `x` lies, counted in standard deviations from the mean.
    pub fn of(x: f64, mean: f64, sd: f64) -> Self {
        let distance = x - mean;
        let z = distance / sd;
        let back = x - distance;
        let lost = (x - (distance + back)) + (back - mean);
        let rest = ((-z).mul_add(sd, distance) + lost) / sd;
        StandardScore {
            z,
            rest: if rest.is_finite() { rest } else { 0.0 },
        }
    }

    /// The same place seen from the other side.
    pub fn mirrored(self) -> Self {
        StandardScore {
            z: -self.z,
            rest: -self.rest,
        }
    }

    /// Half the square, which is what the logarithm of the density falls by.
    pub fn fall(self) -> f64 {
        let (half, rest) = half_square(self.z);
        half + (rest + self.z * self.rest)
    }

    /// The logarithm of the mass above a place that is not below the mean.
    pub fn log_above(self) -> f64 {
        let x = self.z * FRAC_1_SQRT_2;
        if x <= NEAR {
            return (0.5 - 0.5 * erf_near(x)).ln() - self.rest * (2.0 / PI).sqrt();
        }
        let (half, rest) = half_square(self.z);
        if half == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        // The tail's share of the density at its edge.
        let share = (0.5 * PI).sqrt() * scaled_erfc(x);
        -half + (share.ln() - HALF_LN_TAU - rest - self.rest / share)
    }

    /// Whether the place is at the mean or above it.
    pub fn is_above(self) -> bool {
        self.z >= 0.0
    }
}

/// Half the square of a number, and what rounding took from it.
fn half_square(z: f64) -> (f64, f64) {
    let square = z * z;
    let rest = z.mul_add(z, -square);
    let rest = if rest.is_finite() { rest } else { 0.0 };
    (0.5 * square, 0.5 * rest)
}

/// Up to here the error function itself has an approximation.
const NEAR: f64 = 0.46875;

/// W. J. Cody's rational approximations (Rational Chebyshev approximations for the error
/// function, 1969); compared with 60 digits they are wrong by less than 6e-16.
fn erf_near(x: f64) -> f64 {
    let above = [
        1.857_777_061_846_031_5e-1,
        3.161_123_743_870_565_5,
        1.138_641_541_510_501_6e2,
        3.774_852_376_853_02e2,
        3.209_377_589_138_469_4e3,
    ];
    let below = [
        1.0,
        2.360_129_095_234_412e1,
        2.440_246_379_344_441_7e2,
        1.282_616_526_077_372_3e3,
        2.844_236_833_439_171e3,
    ];
    let square = x * x;
    x * polynomial(&above, square) / polynomial(&below, square)
}

/// `exp(x²) erfc(x)` from [`NEAR`] on.
fn scaled_erfc(x: f64) -> f64 {
    if x <= 4.0 {
        let above = [
            2.153_115_354_744_038_3e-8,
            5.641_884_969_886_701e-1,
            8.883_149_794_388_377,
            6.611_919_063_714_163e1,
            2.986_351_381_974_001e2,
            8.819_522_212_417_69e2,
            1.712_047_612_634_070_7e3,
            2.051_078_377_826_071_6e3,
            1.230_339_354_797_997_2e3,
        ];
        let below = [
            1.0,
            1.574_492_611_070_983_4e1,
            1.176_939_508_913_125e2,
            5.371_811_018_620_099e2,
            1.621_389_574_566_690_3e3,
            3.290_799_235_733_459_7e3,
            4.362_619_090_143_247e3,
            3.439_367_674_143_721_6e3,
            1.230_339_354_803_749_5e3,
        ];
        return polynomial(&above, x) / polynomial(&below, x);
    }
    let above = [
        1.631_538_713_730_209_7e-2,
        3.053_266_349_612_323_6e-1,
        3.603_448_999_498_044_5e-1,
        1.257_817_261_112_292_6e-1,
        1.608_378_514_874_227_5e-2,
        6.587_491_615_298_378e-4,
    ];
    let below = [
        1.0,
        2.568_520_192_289_822,
        1.872_952_849_923_460_4,
        5.279_051_029_514_285e-1,
        6.051_834_131_244_132e-2,
        2.335_204_976_268_691_8e-3,
    ];
    let square = 1.0 / (x * x);
    let share = square * polynomial(&above, square) / polynomial(&below, square);
    (1.0 / PI.sqrt() - share) / x
}

/// A polynomial from its highest power down.
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}
