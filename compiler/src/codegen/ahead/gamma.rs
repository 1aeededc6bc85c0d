//! The logarithm of the gamma function from 1 on, as the library computes it.

use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_module::FuncId;

/// The series of Lanczos for this offset, as `statrs` has it: the same operations in the
/// same order give the same bits.
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

/// Defines the function, and the logarithm of binomial coefficients.
pub(super) fn define(library: &mut Library, ln: FuncId) -> Result<FuncId, CodegenError> {
    let one = (&[types::F64][..], Some(types::F64));
    let two = (&[types::F64, types::F64][..], Some(types::F64));
    let ln_gamma = library.local("ln_gamma", one, |w, arguments| {
        let result = ln_gamma(w, ln, arguments[0]);
        w.give(&[result]);
    })?;
    library.local("log_choose", two, |w, arguments| {
        let (n, k) = (arguments[0], arguments[1]);
        let zero = w.double(0.0);
        let none = w.compare(FloatCC::Equal, k, zero);
        let all = w.compare(FloatCC::Equal, k, n);
        let trivial = w.b.ins().bor(none, all);
        w.return_if(trivial, |w| vec![w.double(0.0)]);
        let one = w.double(1.0);
        let rest = w.b.ins().fsub(n, k);
        let [all, chosen, rest] = [n, k, rest].map(|x| {
            let x = w.b.ins().fadd(x, one);
            w.value_of(ln_gamma, &[x])
        });
        let difference = w.b.ins().fsub(all, chosen);
        let result = w.b.ins().fsub(difference, rest);
        w.give(&[result]);
    })
}

fn ln_gamma(w: &mut Writer, ln: FuncId, x: Value) -> Value {
    let mut sum = w.double(SERIES[0]);
    let one = w.double(1.0);
    for (n, &coefficient) in (0_u32..).zip(&SERIES).skip(1) {
        let n = w.double(f64::from(n));
        let shifted = w.b.ins().fadd(x, n);
        let below = w.b.ins().fsub(shifted, one);
        let coefficient = w.double(coefficient);
        let term = w.b.ins().fdiv(coefficient, below);
        sum = w.b.ins().fadd(sum, term);
    }
    let ln_sum = w.value_of(ln, &[sum]);
    let constant = w.double(LN_2_SQRT_E_OVER_PI);
    let first = w.b.ins().fadd(ln_sum, constant);
    let half = w.double(0.5);
    let less = w.b.ins().fsub(x, half);
    let offset = w.double(OFFSET);
    let shifted = w.b.ins().fadd(less, offset);
    let e = w.double(std::f64::consts::E);
    let ratio = w.b.ins().fdiv(shifted, e);
    let ln_ratio = w.value_of(ln, &[ratio]);
    let second = w.b.ins().fmul(less, ln_ratio);
    w.b.ins().fadd(first, second)
}

#[cfg(test)]
mod tests {
    use super::{LN_2_SQRT_E_OVER_PI, OFFSET, SERIES};
    use statrs::function::gamma::ln_gamma;

    #[test]
    fn the_series_is_that_of_the_library() {
        for x in (1..400).map(|x| f64::from(x) * 0.75 + 0.25) {
            let terms = (0_u32..).zip(&SERIES).skip(1);
            let sum = terms.fold(SERIES[0], |sum, (n, coefficient)| {
                sum + coefficient / (x + f64::from(n) - 1.0)
            });
            let shifted = (x - 0.5 + OFFSET) / std::f64::consts::E;
            let own = sum.ln() + LN_2_SQRT_E_OVER_PI + (x - 0.5) * shifted.ln();
            assert_eq!(own.to_bits(), ln_gamma(x).to_bits(), "{x}");
        }
    }
}
