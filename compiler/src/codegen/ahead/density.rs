//! Leaves over infinite domains: the operation of `kernel/density/kernels.rs`, sample
//! by sample.

use super::power::{clamp, power_of_two};
use super::weights::LEAF;
use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use crate::kernel::density::LARGEST_EXPONENT;
use crate::kernel::{Frame, Precision, ROW_BYTES};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_module::FuncId;
use std::mem::offset_of;

const ROW: i64 = ROW_BYTES as i64;

/// The addresses that an operation on one sample needs.
struct Sample {
    lane: Value,
    cell: Value,
    /// Leaves, the first of which is the operation's.
    leaves: Value,
    n: Value,
    block: Value,
    logs: Value,
    /// The first row of the leaves, at the sample.
    out: Value,
    exponent: Value,
    lost: Value,
}

/// Defines the kernel that drivers call with a frame and an operation. The frame's
/// densities are the block of weights, its statistics room for logarithms.
pub(super) fn define(
    library: &mut Library,
    kernel: FuncId,
    log_leaf: FuncId,
    leaves: i64,
) -> Result<(), CodegenError> {
    let kind = (&[types::I64, types::I64][..], None);
    library.define(kernel, kind, |w, arguments| {
        let (frame, op) = (arguments[0], arguments[1]);
        let [first_leaf, n, out, exponent, reals] =
            [0, 4, 8, 12, 16].map(|offset| w.load_u32(op, offset));
        let block = pointer(w, frame, offset_of!(Frame, densities));
        let logs = pointer(w, frame, offset_of!(Frame, statistics));
        let lost = pointer(w, frame, offset_of!(Frame, lost));
        let all = w.plus(block, leaves);
        let leaves = w.element(all, first_leaf, LEAF);
        let lanes = w.target.precision.lanes() as i64;
        let cells = pointer(w, frame, offset_of!(Frame, reals));
        let cells = w.element(cells, reals, lanes * 8);
        let values = pointer(w, frame, offset_of!(Frame, values));
        let rows = w.element(values, out, ROW);
        let exponents = pointer(w, frame, offset_of!(Frame, exponents));
        let exponents = w.element(exponents, exponent, lanes * 4);
        let n_lanes = w.int(lanes);
        w.each(n_lanes, |w, lane| {
            let cell = w.element(cells, lane, 8);
            let bytes = w.target.precision.bytes() as i64;
            let sample = Sample {
                lane,
                cell: w.load(types::F64, cell, 0),
                leaves,
                n,
                block,
                logs,
                out: w.element(rows, lane, bytes),
                exponent: w.element(exponents, lane, 4),
                lost,
            };
            let largest = logarithms(w, log_leaf, &sample);
            values_of(w, &sample, largest);
        });
        w.give(&[]);
    })
}

fn pointer(w: &mut Writer, frame: Value, offset: usize) -> Value {
    w.load(types::I64, frame, offset as i32)
}

/// Computes the logarithms of all leaves; gives the largest.
fn logarithms(w: &mut Writer, log_leaf: FuncId, sample: &Sample) -> Value {
    let nothing = w.double(f64::NEG_INFINITY);
    let largest = w.variable(nothing);
    w.each(sample.n, |w, number| {
        let leaf = w.element(sample.leaves, number, LEAF);
        let log = w.value_of(log_leaf, &[sample.block, leaf, sample.cell]);
        let place = w.element(sample.logs, number, 8);
        w.store(log, place, 0);
        let old = w.get(largest);
        let is_larger = w.compare(FloatCC::GreaterThan, log, old);
        let new = w.select(is_larger, log, old);
        w.set(largest, new);
    });
    w.get(largest)
}

/// The exponent of the largest, and what is left of each.
fn values_of(w: &mut Writer, sample: &Sample, largest: Value) {
    let base = whole_part(w, largest);
    let exponent = w.b.ins().fcvt_to_sint_sat(types::I64, base);
    let exponent = w.b.ins().ireduce(types::I32, exponent);
    w.store(exponent, sample.exponent, 0);
    let none = w.int(0);
    let lost = w.variable(none);
    w.each(sample.n, |w, number| {
        let log = w.element(sample.logs, number, 8);
        let log = w.load(types::F64, log, 0);
        let rest = w.b.ins().fsub(log, base);
        let value = power_of_two(w, rest);
        let place = w.element(sample.out, number, ROW);
        w.store(value, place, 0);
        let is_lost = is_lost(w, rest);
        let old = w.get(lost);
        let new = w.b.ins().bor(old, is_lost);
        w.set(lost, new);
    });
    let bit = w.get(lost);
    let bit = w.b.ins().ishl(bit, sample.lane);
    let old = w.load(types::I64, sample.lost, 0);
    let new = w.b.ins().bor(old, bit);
    w.store(new, sample.lost, 0);
}

/// The largest integer that is not above, within bounds; 0 for what is infinite.
fn whole_part(w: &mut Writer, log: Value) -> Value {
    let (low, high) = (w.double(-LARGEST_EXPONENT), w.double(LARGEST_EXPONENT));
    let clamped = clamp(w, log, low, high);
    let truncated = w.b.ins().fcvt_to_sint_sat(types::I64, clamped);
    let truncated = w.b.ins().fcvt_from_sint(types::F64, truncated);
    let (one, zero) = (w.double(1.0), w.double(0.0));
    let below = w.b.ins().fsub(truncated, one);
    let is_above = w.compare(FloatCC::GreaterThan, truncated, clamped);
    let floor = w.select(is_above, below, truncated);
    let size = w.b.ins().fabs(log);
    let infinity = w.double(f64::INFINITY);
    let is_finite = w.compare(FloatCC::LessThan, size, infinity);
    w.select(is_finite, floor, zero)
}

/// 1 if a positive value is not a normal number.
fn is_lost(w: &mut Writer, rest: Value) -> Value {
    let smallest = match w.target.precision {
        Precision::F32 => -126.0,
        Precision::F64 => -1022.0,
    };
    let (smallest, two) = (w.double(smallest), w.double(2.0));
    let above = w.compare(FloatCC::GreaterThanOrEqual, rest, smallest);
    let below = w.compare(FloatCC::LessThan, rest, two);
    let is_normal = w.b.ins().band(above, below);
    let size = w.b.ins().fabs(rest);
    let infinity = w.double(f64::INFINITY);
    let is_infinite = w.compare(FloatCC::Equal, size, infinity);
    let is_known = w.b.ins().bor(is_normal, is_infinite);
    let is_known = w.b.ins().uextend(types::I64, is_known);
    w.b.ins().bxor_imm_s(is_known, 1)
}
