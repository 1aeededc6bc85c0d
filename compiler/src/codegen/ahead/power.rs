//! Powers of two: the polynomials of `kernel/density/exp2.rs`.

use super::writer::Writer;
use crate::kernel::density::{DOUBLE, ROUND, SINGLE};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// A power in whole and rest.
struct Split {
    /// The bits of the rounded power; the low ones are the whole.
    rounded: Value,
    rest: Value,
}

/// `2^power` for two powers; 0 below the smallest normal number.
pub(super) fn doubles(w: &mut Writer, power: Value) -> Value {
    let (low, high) = (w.doubles(-1022.0), w.doubles(1024.0));
    let Split { rounded, rest } = split(w, power, low, high);
    let [lower @ .., last] = &DOUBLE;
    let mut sum = w.doubles(*last);
    for &coefficient in lower.iter().rev() {
        let coefficient = w.doubles(coefficient);
        let product = w.b.ins().fmul(sum, rest);
        sum = w.b.ins().fadd(product, coefficient);
    }
    let shift = w.b.ins().ishl_imm_u(rounded, 52);
    let sum = w.bits(types::I64X2, sum);
    let bits = w.b.ins().iadd(sum, shift);
    let inside = w.bits(types::F64X2, bits);
    let (zero, infinity) = (w.doubles(0.0), w.doubles(f64::INFINITY));
    let least = (FloatCC::GreaterThanOrEqual, power, low);
    let finite = w.choose(least, inside, zero);
    w.choose((FloatCC::GreaterThanOrEqual, power, high), infinity, finite)
}

/// `2^power` in single precision for four powers; 0 below the smallest normal number.
pub(super) fn singles(w: &mut Writer, powers: [Value; 2]) -> Value {
    let (low, high) = (w.doubles(-126.0), w.doubles(128.0));
    let [first, second] = powers.map(|power| split(w, power, low, high));
    let rest = w.demoted(first.rest, second.rest);
    let [lower @ .., last] = &SINGLE;
    let mut sum = w.singles(*last);
    for &coefficient in lower.iter().rev() {
        let coefficient = w.singles(coefficient);
        let product = w.b.ins().fmul(sum, rest);
        sum = w.b.ins().fadd(product, coefficient);
    }
    let rounded = w.narrow(first.rounded, second.rounded);
    let shift = w.b.ins().ishl_imm_u(rounded, 23);
    let sum = w.bits(types::I32X4, sum);
    let bits = w.b.ins().iadd(sum, shift);
    let inside = w.bits(types::F32X4, bits);
    let mut mask = |bound| {
        let compare = |power| w.compare(FloatCC::GreaterThanOrEqual, power, bound);
        let [first, second] = powers.map(compare);
        w.narrow(first, second)
    };
    let (is_normal, is_infinite) = (mask(low), mask(high));
    let (zero, infinity) = (w.singles(0.0), w.singles(f32::INFINITY));
    let finite = w.choose_by(is_normal, inside, zero);
    w.choose_by(is_infinite, infinity, finite)
}

fn split(w: &mut Writer, power: Value, low: Value, high: Value) -> Split {
    let power = w.choose((FloatCC::GreaterThan, power, low), power, low);
    let power = w.choose((FloatCC::LessThan, power, high), power, high);
    let round = w.doubles(ROUND);
    let rounded = w.b.ins().fadd(power, round);
    let whole = w.b.ins().fsub(rounded, round);
    Split {
        rest: w.b.ins().fsub(power, whole),
        rounded: w.bits(types::I64X2, rounded),
    }
}
