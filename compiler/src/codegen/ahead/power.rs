//! Powers of two: the polynomials of `kernel/density/exp2.rs`.

use super::writer::Writer;
use crate::kernel::Precision;
use crate::kernel::density::{DOUBLE, ROUND, SINGLE};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// `2^power` in the precision of kernels; 0 below the smallest normal number.
pub(super) fn power_of_two(w: &mut Writer, power: Value) -> Value {
    let precision = w.target.precision;
    let (low, high) = match precision {
        Precision::F32 => (-126.0, 128.0),
        Precision::F64 => (-1022.0, 1024.0),
    };
    let (low, high) = (w.double(low), w.double(high));
    let clamped = clamp(w, power, low, high);
    let round = w.double(ROUND);
    let rounded = w.b.ins().fadd(clamped, round);
    let whole = w.b.ins().fsub(rounded, round);
    let rest = w.b.ins().fsub(clamped, whole);
    let inside = match precision {
        Precision::F32 => single(w, rounded, rest),
        Precision::F64 => double(w, rounded, rest),
    };
    let is_normal = w.compare(FloatCC::GreaterThanOrEqual, power, low);
    let is_infinite = w.compare(FloatCC::GreaterThanOrEqual, power, high);
    let (zero, infinity) = match precision {
        Precision::F32 => (w.b.ins().f32const(0.0), w.b.ins().f32const(f32::INFINITY)),
        Precision::F64 => (w.double(0.0), w.double(f64::INFINITY)),
    };
    let finite = w.select(is_normal, inside, zero);
    w.select(is_infinite, infinity, finite)
}

fn single(w: &mut Writer, rounded: Value, rest: Value) -> Value {
    let rest = w.b.ins().fdemote(types::F32, rest);
    let [lower @ .., last] = &SINGLE;
    let mut sum = w.b.ins().f32const(*last);
    for &coefficient in lower.iter().rev() {
        let coefficient = w.b.ins().f32const(coefficient);
        let product = w.b.ins().fmul(sum, rest);
        sum = w.b.ins().fadd(product, coefficient);
    }
    let rounded = w.bits(types::I64, rounded);
    let rounded = w.b.ins().ireduce(types::I32, rounded);
    let shift = w.b.ins().ishl_imm_u(rounded, 23);
    let sum = w.bits(types::I32, sum);
    let bits = w.b.ins().iadd(sum, shift);
    w.bits(types::F32, bits)
}

fn double(w: &mut Writer, rounded: Value, rest: Value) -> Value {
    let [lower @ .., last] = &DOUBLE;
    let mut sum = w.double(*last);
    for &coefficient in lower.iter().rev() {
        let coefficient = w.double(coefficient);
        let product = w.b.ins().fmul(sum, rest);
        sum = w.b.ins().fadd(product, coefficient);
    }
    let rounded = w.bits(types::I64, rounded);
    let shift = w.b.ins().ishl_imm_u(rounded, 52);
    let sum = w.bits(types::I64, sum);
    let bits = w.b.ins().iadd(sum, shift);
    w.bits(types::F64, bits)
}

/// `x` between two bounds; the lower one for NaN.
pub(super) fn clamp(w: &mut Writer, x: Value, low: Value, high: Value) -> Value {
    let is_above = w.compare(FloatCC::GreaterThan, x, low);
    let x = w.select(is_above, x, low);
    let is_below = w.compare(FloatCC::LessThan, x, high);
    w.select(is_below, x, high)
}
