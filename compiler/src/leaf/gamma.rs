//! The logarithm of the gamma function, and what is made of it.

use pelton_macros::also_generated;
use std::f64::consts::{E, PI};

/// The series of Lanczos for this offset: the operations of `statrs` in its order, so that
/// the bits are the same.
const OFFSET: f64 = 10.900511;

const SERIES: [f64; 11] = [
    2.485_740_891_387_535_5e-5,
    1.051_423_785_817_219_7,
    -3.456_870_972_220_162_5,
    4.512_277_094_668_948,
    -2.982_852_253_235_766_4,
    1.056_397_115_771_267,
    -1.954_287_731_916_458_7e-1,
    1.709_705_434_044_412e-2,
    -5.719_261_174_043_057e-4,
    4.633_994_733_599_057e-6,
    -2.719_949_084_886_077_2e-9,
];

/// The logarithm of `2 sqrt(e / pi)`.
const LN_2_SQRT_E_OVER_PI: f64 = 0.620_782_237_635_245_2;

/// The logarithm of pi.
const LN_PI: f64 = 1.144_729_885_849_400_2;

/// The logarithm of the gamma function of a positive number.
#[also_generated]
pub(crate) fn ln_gamma(x: f64) -> f64 {
    let mut sum = SERIES[0];
    if x < 0.5 {
        for (n, c) in (0..).map(f64::from).zip(SERIES).skip(1) {
            sum += c / (n - x);
        }
        let sine = (PI * x).sin().ln();
        let power = (0.5 - x) * ((0.5 - x + OFFSET) / E).ln();
        return LN_PI - sine - sum.ln() - LN_2_SQRT_E_OVER_PI - power;
    }
    for (n, c) in (0..).map(f64::from).zip(SERIES).skip(1) {
        sum += c / (x + n - 1.0);
    }
    sum.ln() + LN_2_SQRT_E_OVER_PI + (x - 0.5) * ((x - 0.5 + OFFSET) / E).ln()
}

/// The logarithm of the number of ways to choose `k` out of `n`.
#[also_generated]
pub(crate) fn log_choose(n: f64, k: f64) -> f64 {
    if k == 0.0 || k == n {
        return 0.0;
    }
    ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_series_is_the_well_known_one() {
        for x in (1..4000).map(|x| f64::from(x) * 0.075 + 0.025) {
            let known = statrs::function::gamma::ln_gamma(x);
            assert_eq!(super::ln_gamma(x).to_bits(), known.to_bits(), "{x}");
        }
    }
}
