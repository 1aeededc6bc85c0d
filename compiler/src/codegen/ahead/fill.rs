//! From rows to evidence, with a look at every cell.

use super::ObjectSpec;
use super::structure::{VARIABLE, evidence};
use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use crate::kernel::{Precision, ROW_BYTES};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_module::{DataId, FuncId};

/// What is known of the variable whose cells are read.
struct Variable {
    kind: Value,
    n_values: Value,
    place: Value,
    is_discrete: Value,
    low: Value,
    high: Value,
}

/// Where evidence goes.
#[derive(Clone, Copy)]
struct Buffers {
    values: Value,
    codes: Value,
    reals: Value,
}

/// Defines a function of the first row of a tile, the number of its rows, and the
/// buffers of weights, codes and numbers. It gives -1, or which cell is no value of its
/// variable, counted from the first of the tile. Samples beyond the last row repeat it.
pub(super) fn define(
    library: &mut Library,
    structure: DataId,
    spec: &ObjectSpec,
) -> Result<FuncId, CodegenError> {
    let kind = (&[types::I64; 5][..], Some(types::I64));
    let n_variables = spec.circuit.variables().len() as i64;
    library.local("fill", kind, |w, arguments| {
        let (rows, n_rows) = (arguments[0], arguments[1]);
        let buffers = Buffers {
            values: arguments[2],
            codes: arguments[3],
            reals: arguments[4],
        };
        let first = w.address(structure);
        let last = w.plus(n_rows, -1);
        let n = w.int(n_variables);
        let lanes = w.int(w.target.precision.lanes() as i64);
        w.each(n, |w, number| {
            let at = w.element(first, number, VARIABLE);
            let variable = Variable::load(w, at);
            let column = w.element(rows, number, 8);
            let quads = Quads {
                column,
                row_bytes: 8 * n_variables as i32,
                n_rows,
            };
            let is_done = variable.put_quads(w, buffers, &quads);
            w.either(
                is_done,
                |_| {},
                |w| {
                    w.each(lanes, |w, lane| {
                        let is_row = w.less(lane, last);
                        let row = w.select(is_row, lane, last);
                        let cell = w.element(column, row, 8 * n_variables);
                        let x = w.load(types::F64, cell, 0);
                        let code = variable.code(w, x);
                        let is_wrong = variable.is_wrong(w, x, code);
                        w.return_if(is_wrong, |w| {
                            let before = w.int(n_variables);
                            let before = w.b.ins().imul(row, before);
                            vec![w.b.ins().iadd(before, number)]
                        });
                        variable.put(w, buffers, lane, (x, code));
                    });
                },
            );
        });
        let good = w.int(-1);
        w.give(&[good]);
    })
}

/// Two vectors of two.
type Pairs = [Value; 2];

/// Four cells of a column after the other.
struct Quads {
    column: Value,
    row_bytes: i32,
    n_rows: Value,
}

impl Quads {
    /// Runs a body for all cells of a tile, which gives masks of those that are values;
    /// missing cells are good whatever it says. Gives 1 if all are good.
    fn each(&self, w: &mut Writer, body: impl FnOnce(&mut Writer, Value, Pairs) -> Pairs) -> Value {
        let start = w.doubles(0.0);
        let start = w.bits(types::I64X2, start);
        let start = w.b.ins().bnot(start);
        let all = w.variable(start);
        let n = w.int(w.target.precision.lanes() as i64 / 4);
        w.each(n, |w, number| {
            let first = w.element(self.column, number, 4 * i64::from(self.row_bytes));
            let pairs = [0, 2].map(|row| {
                let low = w.load(types::F64, first, row * self.row_bytes);
                let high = w.load(types::F64, first, (row + 1) * self.row_bytes);
                let pair = w.b.ins().splat(types::F64X2, low);
                w.b.ins().insertlane(pair, high, 1)
            });
            let good = body(w, number, pairs);
            for (&good, &pair) in good.iter().zip(&pairs) {
                let missing = w.compare(FloatCC::Unordered, pair, pair);
                let good = w.b.ins().bor(good, missing);
                let old = w.get(all);
                let new = w.b.ins().band(old, good);
                w.set(all, new);
            }
        });
        let all = w.get(all);
        let bits = w.b.ins().vhigh_bits(types::I64, all);
        w.equals(bits, 3)
    }
}

/// Stores 1 where masks are set and 0 elsewhere, in the precision of kernels.
fn store_ones(w: &mut Writer, masks: Pairs, place: Value) {
    match w.target.precision {
        Precision::F64 => {
            let one = w.doubles(1.0);
            let one = w.bits(types::I64X2, one);
            for (offset, mask) in [0, 16].into_iter().zip(masks) {
                let ones = w.b.ins().band(mask, one);
                w.store(ones, place, offset);
            }
        }
        Precision::F32 => {
            let one = w.singles(1.0);
            let one = w.bits(types::I32X4, one);
            let mask = w.narrow(masks[0], masks[1]);
            let ones = w.b.ins().band(mask, one);
            w.store(ones, place, 0);
        }
    }
}

impl Variable {
    fn load(w: &mut Writer, at: Value) -> Self {
        let [kind, n_values, place, is_discrete] = [0, 4, 8, 12].map(|at_| w.load_u32(at, at_));
        Variable {
            kind,
            n_values,
            place,
            is_discrete,
            low: w.load(types::F64, at, 16),
            high: w.load(types::F64, at, 24),
        }
    }

    /// Fills a whole tile four samples at a time; gives 0 where that is not possible or a
    /// cell is wrong, to be found one by one.
    fn put_quads(&self, w: &mut Writer, buffers: Buffers, quads: &Quads) -> Value {
        let lanes = w.target.precision.lanes() as i64;
        let none = w.int(0);
        let none = w.b.ins().ireduce(types::I8, none);
        let is_done = w.variable(none);
        let is_whole = w.equals(quads.n_rows, lanes);
        let is_small = w.equals(self.kind, evidence::WEIGHTS);
        let small = w.b.ins().band(is_whole, is_small);
        w.when(small, |w| {
            let row = w.element(buffers.values, self.place, ROW_BYTES as i64);
            let all = quads.each(w, |w, number, pairs| {
                self.quad_weights(w, row, number, pairs)
            });
            w.set(is_done, all);
        });
        let is_number = w.equals(self.kind, evidence::REALS);
        let is_real = w.equals(self.is_discrete, 0);
        let real = w.b.ins().band(is_number, is_real);
        let real = w.b.ins().band(is_whole, real);
        w.when(real, |w| {
            let row = w.element(buffers.reals, self.place, 8 * lanes);
            let all = quads.each(w, |w, number, pairs| {
                let place = w.element(row, number, 32);
                w.store(pairs[0], place, 0);
                w.store(pairs[1], place, 16);
                pairs.map(|pair| {
                    let size = w.b.ins().fabs(pair);
                    let infinity = w.doubles(f64::INFINITY);
                    w.compare(FloatCC::LessThan, size, infinity)
                })
            });
            w.set(is_done, all);
        });
        w.get(is_done)
    }

    /// The weights of four cells for each value; gives masks of those that are values.
    fn quad_weights(&self, w: &mut Writer, row: Value, number: Value, pairs: Pairs) -> Pairs {
        let missing = pairs.map(|pair| w.compare(FloatCC::Unordered, pair, pair));
        let bytes = 4 * w.target.precision.bytes() as i64;
        let first = w.element(row, number, bytes);
        let found = missing.map(|mask| w.variable(mask));
        let low = w.b.ins().splat(types::F64X2, self.low);
        let value = w.variable(low);
        w.each(self.n_values, |w, code| {
            let this = w.get(value);
            let equal = pairs.map(|pair| w.compare(FloatCC::Equal, pair, this));
            for (&found, &equal) in found.iter().zip(&equal) {
                let old = w.get(found);
                let new = w.b.ins().bor(old, equal);
                w.set(found, new);
            }
            let place = w.element(first, code, ROW_BYTES as i64);
            let masks = [0, 1].map(|at| w.b.ins().bor(equal[at], missing[at]));
            store_ones(w, masks, place);
            let one = w.doubles(1.0);
            let next = w.b.ins().fadd(this, one);
            w.set(value, next);
        });
        found.map(|found| w.get(found))
    }

    /// Whether a cell is neither missing nor a value: an integer of the domain, or a
    /// finite number. `code` is its distance from the first value if it is an integer.
    fn is_wrong(&self, w: &mut Writer, x: Value, code: Value) -> Value {
        let above = w.compare(FloatCC::GreaterThanOrEqual, x, self.low);
        let below = w.compare(FloatCC::LessThan, x, self.high);
        let inside = w.b.ins().band(above, below);
        let back = w.b.ins().fcvt_from_sint(types::F64, code);
        let back = w.b.ins().fadd(back, self.low);
        let is_integer = w.compare(FloatCC::Equal, back, x);
        let integer = w.b.ins().band(inside, is_integer);
        let size = w.b.ins().fabs(x);
        let infinity = w.double(f64::INFINITY);
        let finite = w.compare(FloatCC::LessThan, size, infinity);
        let fits = w.select(self.is_discrete, integer, finite);
        let is_missing = w.compare(FloatCC::Unordered, x, x);
        let is_good = w.b.ins().bor(fits, is_missing);
        w.b.ins().bxor_imm_s(is_good, 1)
    }

    /// The distance from the first value as an integer; no matter what where there is none.
    fn code(&self, w: &mut Writer, x: Value) -> Value {
        let distance = w.b.ins().fsub(x, self.low);
        w.b.ins().fcvt_to_sint_sat(types::I64, distance)
    }

    fn put(&self, w: &mut Writer, buffers: Buffers, lane: Value, (x, code): (Value, Value)) {
        let is_missing = w.compare(FloatCC::Unordered, x, x);
        let code = w.select(is_missing, self.n_values, code);
        let weights = w.equals(self.kind, evidence::WEIGHTS);
        w.when(weights, |w| self.put_weights(w, buffers.values, lane, code));
        let lanes = w.target.precision.lanes() as i64;
        let codes = w.equals(self.kind, evidence::CODES);
        w.when(codes, |w| {
            let row = w.element(buffers.codes, self.place, 4 * lanes);
            let place = w.element(row, lane, 4);
            let code = w.b.ins().ireduce(types::I32, code);
            w.store(code, place, 0);
        });
        let reals = w.equals(self.kind, evidence::REALS);
        w.when(reals, |w| {
            let row = w.element(buffers.reals, self.place, 8 * lanes);
            let place = w.element(row, lane, 8);
            w.store(x, place, 0);
        });
    }

    /// 1 for the value that was observed and 0 for others; 1 for all of a missing cell.
    fn put_weights(&self, w: &mut Writer, values: Value, lane: Value, code: Value) {
        let row = w.element(values, self.place, ROW_BYTES as i64);
        let bytes = w.target.precision.bytes() as i64;
        let first = w.element(row, lane, bytes);
        let (one, zero) = match w.target.precision {
            Precision::F32 => (w.b.ins().f32const(1.0), w.b.ins().f32const(0.0)),
            Precision::F64 => (w.double(1.0), w.double(0.0)),
        };
        let is_missing = w.b.ins().icmp(
            cranelift_codegen::ir::condcodes::IntCC::Equal,
            code,
            self.n_values,
        );
        let other = w.select(is_missing, one, zero);
        w.each(self.n_values, |w, value| {
            let place = w.element(first, value, ROW_BYTES as i64);
            w.store(other, place, 0);
        });
        let is_observed = w.b.ins().bxor_imm_s(is_missing, 1);
        w.when(is_observed, |w| {
            let place = w.element(first, code, ROW_BYTES as i64);
            w.store(one, place, 0);
        });
    }
}
