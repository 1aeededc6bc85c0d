//! What is left of elementary functions when their first terms are taken away.

use pelton_macros::also_generated;

/// Terms of the series below: what follows is less than a number's last digit.
pub(crate) const TERMS: u32 = 18;

/// `ln(1 + u) - u`, to the last digits also where `u` is small.
#[also_generated]
pub(crate) fn ln_1p_minus(u: f64) -> f64 {
    if u.abs() >= 0.5 {
        return (1.0 + u).ln() - u;
    }
    // The series of the inverse hyperbolic tangent, whose first term is `u` but for `u r`.
    let r = u / (2.0 + u);
    let square = r * r;
    let mut sum = 0.0;
    for k in (0..TERMS).rev() {
        sum = sum * square + 1.0 / f64::from(2 * k + 3);
    }
    r * (2.0 * square * sum - u)
}

/// `exp(s) - 1 - s`, to the last digits also where `s` is small.
pub(super) fn exp_m1_minus(s: f64) -> f64 {
    if s.abs() >= 0.5 {
        return s.exp_m1() - s;
    }
    let mut sum = 1.0;
    for k in (3..20).rev() {
        sum = 1.0 + s / f64::from(k) * sum;
    }
    0.5 * s * s * sum
}

/// The logarithm of Γ(1 + a) for `a` up to a half, to the last digits also where `a` is small.
#[also_generated]
pub(crate) fn ln_gamma_1p(a: f64) -> f64 {
    /// (ζ(k) - 1) / k from k = 2 on.
    const ZETA: [f64; 28] = [
        0.322_467_033_424_113_2,
        0.067_352_301_053_198_1,
        0.020_580_808_427_784_546,
        0.007_385_551_028_673_985,
        0.002_890_510_330_741_523_4,
        0.001_192_753_911_703_260_8,
        0.000_509_669_524_743_042_5,
        0.000_223_154_758_453_579_4,
        9.945_751_278_180_853e-5,
        4.492_623_673_813_314e-5,
        2.050_721_277_567_069e-5,
        9.439_488_275_268_397e-6,
        4.374_866_789_907_488e-6,
        2.039_215_753_801_366e-6,
        9.551_412_130_407_42e-7,
        4.492_469_198_764_566e-7,
        2.120_718_480_555_466_5e-7,
        1.004_322_482_396_81e-7,
        4.769_810_169_363_98e-8,
        2.271_109_460_894_316_4e-8,
        1.083_865_921_489_695_5e-8,
        5.183_475_041_970_047e-9,
        2.483_674_543_802_478_5e-9,
        1.192_140_140_586_091_2e-9,
        5.731_367_241_678_862e-10,
        2.759_522_885_124_233e-10,
        1.330_476_437_424_449e-10,
        6.422_964_563_838_1e-11,
    ];
    /// 1 less Euler's constant.
    const REST_OF_EULER: f64 = 0.422_784_335_098_467_13;
    let mut sum = 0.0;
    for &zeta in ZETA.iter().rev() {
        sum = zeta - a * sum;
    }
    -a.ln_1p() + a * (REST_OF_EULER + a * sum)
}
