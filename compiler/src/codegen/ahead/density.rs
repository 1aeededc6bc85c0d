//! Leaves over infinite domains: the operation of `kernel/density/kernels.rs`.
//!
//! The formulas of normal, exponential and uniform densities are written for vectors of
//! two samples; other leaves are asked for their logarithms sample by sample.

use super::power;
use super::weights::{LEAF, leaf};
use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use crate::kernel::density::LARGEST_EXPONENT;
use crate::kernel::density::baked::DensityFormula;
use crate::kernel::{Frame, Precision, ROW_BYTES};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_module::FuncId;
use std::mem::offset_of;

const ROW: i64 = ROW_BYTES as i64;

/// Rows of doubles that an operation needs beside one for each leaf: the largest
/// logarithms, their whole parts, and masks of what was lost.
pub(super) const SCRATCH_ROWS: usize = 3;

/// The addresses and numbers of one operation.
struct Operation {
    n: Value,
    /// The first of its leaves.
    leaves: Value,
    block: Value,
    cells: Value,
    exponents: Value,
    /// The first row of values.
    out: Value,
    lost: Value,
    largest: Value,
    base: Value,
    masks: Value,
    /// A row of logarithms for each leaf.
    logs: Value,
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
        let operation = Operation::load(w, (arguments[0], arguments[1]), leaves);
        operation.start(w);
        w.each(operation.n, |w, number| {
            operation.logarithms(w, log_leaf, number);
        });
        operation.set_base(w);
        w.each(operation.n, |w, number| operation.values(w, number));
        operation.tell_losses(w);
        w.give(&[]);
    })
}

fn lanes(w: &Writer) -> i64 {
    w.target.precision.lanes() as i64
}

/// Runs a body for each vector of two samples, with the offset of its doubles.
fn each_pair(w: &mut Writer, body: impl FnOnce(&mut Writer, Value)) {
    let n = w.int(lanes(w) / 2);
    w.each(n, |w, number| {
        let offset = w.b.ins().ishl_imm_u(number, 4);
        body(w, offset);
    });
}

fn load_pair(w: &mut Writer, row: Value, offset: Value) -> Value {
    let place = w.b.ins().iadd(row, offset);
    w.load(types::F64X2, place, 0)
}

fn store_pair(w: &mut Writer, pair: Value, row: Value, offset: Value) {
    let place = w.b.ins().iadd(row, offset);
    w.store(pair, place, 0);
}

impl Operation {
    fn load(w: &mut Writer, (frame, op): (Value, Value), leaves: i64) -> Self {
        let [first_leaf, n, out, exponent, reals] =
            [0, 4, 8, 12, 16].map(|offset| w.load_u32(op, offset));
        let mut pointer = |offset: usize| w.load(types::I64, frame, offset as i32);
        let block = pointer(offset_of!(Frame, densities));
        let scratch = pointer(offset_of!(Frame, statistics));
        let lost = pointer(offset_of!(Frame, lost));
        let cells = pointer(offset_of!(Frame, reals));
        let values = pointer(offset_of!(Frame, values));
        let exponents = pointer(offset_of!(Frame, exponents));
        let lanes = lanes(w);
        let leaves = w.plus(block, leaves);
        Operation {
            n,
            leaves: w.element(leaves, first_leaf, LEAF),
            block,
            cells: w.element(cells, reals, lanes * 8),
            exponents: w.element(exponents, exponent, lanes * 4),
            out: w.element(values, out, ROW),
            lost,
            largest: scratch,
            base: w.plus(scratch, lanes * 8),
            masks: w.plus(scratch, lanes * 16),
            logs: w.plus(scratch, lanes * 8 * SCRATCH_ROWS as i64),
        }
    }

    fn start(&self, w: &mut Writer) {
        each_pair(w, |w, at| {
            let (nothing, zero) = (w.doubles(f64::NEG_INFINITY), w.doubles(0.0));
            store_pair(w, nothing, self.largest, at);
            store_pair(w, zero, self.masks, at);
        });
    }

    fn row(&self, w: &mut Writer, number: Value) -> Value {
        let bytes = 8 * lanes(w);
        w.element(self.logs, number, bytes)
    }

    /// The logarithms of one leaf, and the largest of all so far.
    fn logarithms(&self, w: &mut Writer, log_leaf: FuncId, number: Value) {
        let at = w.element(self.leaves, number, LEAF);
        let row = self.row(w, number);
        let kind = w.load_u32(at, leaf::KIND);
        let last = DensityFormula::Tent as i64;
        let is_simple =
            w.b.ins()
                .icmp_imm_s(IntCC::UnsignedLessThanOrEqual, kind, last);
        w.either(
            is_simple,
            |w| {
                for (wanted, formula) in SIMPLE {
                    let is = w.equals(kind, wanted as i64);
                    w.when(is, |w| self.simple(w, at, row, formula));
                }
            },
            |w| {
                let n = w.int(lanes(w));
                w.each(n, |w, lane| {
                    let cell = w.element(self.cells, lane, 8);
                    let x = w.load(types::F64, cell, 0);
                    let log = w.value_of(log_leaf, &[self.block, at, x]);
                    let place = w.element(row, lane, 8);
                    w.store(log, place, 0);
                });
            },
        );
        each_pair(w, |w, at| {
            let log = load_pair(w, row, at);
            let old = load_pair(w, self.largest, at);
            let new = w.choose((FloatCC::GreaterThan, log, old), log, old);
            store_pair(w, new, self.largest, at);
        });
    }

    fn simple(&self, w: &mut Writer, at: Value, row: Value, formula: Formula) {
        let constants = [0, 1, 2].map(|number| w.both(at, leaf::CONSTANTS + 8 * number));
        let missing = w.both(at, leaf::MISSING);
        let n = w.load_u32(at, leaf::N_INTERVALS);
        let place = w.load(types::I64, at, leaf::INTERVALS);
        let intervals = w.b.ins().iadd(self.block, place);
        each_pair(w, |w, offset| {
            let x = load_pair(w, self.cells, offset);
            let log = formula(w, constants, x);
            let none = w.doubles(0.0);
            let none = w.bits(types::I64X2, none);
            let inside = w.variable(none);
            w.each(n, |w, number| {
                let interval = w.element(intervals, number, 16);
                let (low, high) = (w.both(interval, 0), w.both(interval, 8));
                let above = w.compare(FloatCC::GreaterThanOrEqual, x, low);
                let below = w.compare(FloatCC::LessThanOrEqual, x, high);
                let both = w.b.ins().band(above, below);
                let old = w.get(inside);
                let new = w.b.ins().bor(old, both);
                w.set(inside, new);
            });
            let inside = w.get(inside);
            let nothing = w.doubles(f64::NEG_INFINITY);
            let log = w.choose_by(inside, log, nothing);
            let log = w.choose((FloatCC::Unordered, x, x), missing, log);
            store_pair(w, log, row, offset);
        });
    }

    /// The whole parts of the largest logarithms are the exponents.
    fn set_base(&self, w: &mut Writer) {
        let n = w.int(lanes(w));
        w.each(n, |w, lane| {
            let place = w.element(self.largest, lane, 8);
            let largest = w.load(types::F64, place, 0);
            let base = whole_part(w, largest);
            let place = w.element(self.base, lane, 8);
            w.store(base, place, 0);
            let exponent = w.b.ins().fcvt_to_sint_sat(types::I64, base);
            let exponent = w.b.ins().ireduce(types::I32, exponent);
            let place = w.element(self.exponents, lane, 4);
            w.store(exponent, place, 0);
        });
    }

    /// What is left of the logarithms of one leaf gives its values.
    fn values(&self, w: &mut Writer, number: Value) {
        let row = self.row(w, number);
        let out = w.element(self.out, number, ROW);
        match w.target.precision {
            Precision::F64 => each_pair(w, |w, at| {
                let rest = self.rest(w, row, at);
                let value = power::doubles(w, rest);
                store_pair(w, value, out, at);
            }),
            Precision::F32 => {
                let n = w.int(lanes(w) / 4);
                w.each(n, |w, number| {
                    let first = w.b.ins().ishl_imm_u(number, 5);
                    let second = w.plus(first, 16);
                    let rests = [first, second].map(|at| self.rest(w, row, at));
                    let value = power::singles(w, rests);
                    let at = w.b.ins().ishl_imm_u(number, 4);
                    store_pair(w, value, out, at);
                });
            }
        }
    }

    /// Logarithms less the common exponents; notes which of them are lost.
    fn rest(&self, w: &mut Writer, row: Value, at: Value) -> Value {
        let (log, base) = (load_pair(w, row, at), load_pair(w, self.base, at));
        let rest = w.b.ins().fsub(log, base);
        let is_known = is_known(w, rest);
        let place = w.b.ins().iadd(self.masks, at);
        let old = w.load(types::I64X2, place, 0);
        let is_lost = w.b.ins().bnot(is_known);
        let new = w.b.ins().bor(old, is_lost);
        w.store(new, place, 0);
        rest
    }

    /// Adds the samples that lost something to those of the tile.
    fn tell_losses(&self, w: &mut Writer) {
        let start = w.load(types::I64, self.lost, 0);
        let lost = w.variable(start);
        let n = w.int(lanes(w));
        w.each(n, |w, lane| {
            let place = w.element(self.masks, lane, 8);
            let mask = w.load(types::I64, place, 0);
            let bit = w.b.ins().band_imm_s(mask, 1);
            let bit = w.b.ins().ishl(bit, lane);
            let old = w.get(lost);
            let new = w.b.ins().bor(old, bit);
            w.set(lost, new);
        });
        let lost = w.get(lost);
        w.store(lost, self.lost, 0);
    }
}

/// A formula of three constants for two cells.
type Formula = fn(&mut Writer, [Value; 3], Value) -> Value;

const SIMPLE: [(DensityFormula, Formula); 4] = [
    (DensityFormula::Flat, |_, [constant, ..], _| constant),
    (DensityFormula::Bell, |w, [constant, mean, scale], x| {
        let distance = w.b.ins().fsub(x, mean);
        let z = w.b.ins().fmul(distance, scale);
        let square = w.b.ins().fmul(z, z);
        w.b.ins().fsub(constant, square)
    }),
    (DensityFormula::Line, |w, [constant, slope, _], x| {
        let rise = w.b.ins().fmul(slope, x);
        w.b.ins().fadd(constant, rise)
    }),
    (DensityFormula::Tent, |w, [constant, mean, slope], x| {
        let distance = w.b.ins().fsub(x, mean);
        let distance = w.b.ins().fabs(distance);
        let fall = w.b.ins().fmul(slope, distance);
        w.b.ins().fsub(constant, fall)
    }),
];

/// The largest integer that is not above, within bounds; 0 for what is infinite.
fn whole_part(w: &mut Writer, log: Value) -> Value {
    let (low, high) = (w.double(-LARGEST_EXPONENT), w.double(LARGEST_EXPONENT));
    let is_above = w.compare(FloatCC::GreaterThan, log, low);
    let clamped = w.select(is_above, log, low);
    let is_below = w.compare(FloatCC::LessThan, clamped, high);
    let clamped = w.select(is_below, clamped, high);
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

/// A mask of what is zero or a normal number, or infinite.
fn is_known(w: &mut Writer, rest: Value) -> Value {
    let smallest = match w.target.precision {
        Precision::F32 => -126.0,
        Precision::F64 => -1022.0,
    };
    let (smallest, two) = (w.doubles(smallest), w.doubles(2.0));
    let above = w.compare(FloatCC::GreaterThanOrEqual, rest, smallest);
    let below = w.compare(FloatCC::LessThan, rest, two);
    let is_normal = w.b.ins().band(above, below);
    let size = w.b.ins().fabs(rest);
    let infinity = w.doubles(f64::INFINITY);
    let is_infinite = w.compare(FloatCC::Equal, size, infinity);
    w.b.ins().bor(is_normal, is_infinite)
}
