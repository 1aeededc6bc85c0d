//! All rows of a call, tile by tile: what `LikelihoodWorker` of the runtime does around kernels.

use super::ObjectSpec;
use super::environment::Environment;
use super::frame;
use super::layout::{ALIGN, Layout};
use super::weights::head;
use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use crate::kernel::{Frame, Precision, ROW_BYTES};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;
use cranelift_module::FuncId;
use std::f64::consts::LN_2;
use std::mem::offset_of;

/// What the evaluation is put together from.
pub(super) struct Parts {
    pub(super) fill: FuncId,
    pub(super) reference: FuncId,
    pub(super) second_look: FuncId,
    pub(super) environment: Environment,
    /// In the order they run.
    pub(super) drivers: Vec<FuncId>,
}

/// What the function gives.
pub(super) mod status {
    pub(in super::super) const OK: i64 = 0;
    pub(in super::super) const CELL: i64 = 1;
    pub(in super::super) const MEMORY: i64 = 2;
    pub(in super::super) const WEIGHTS: i64 = 3;
}

/// What all tiles share.
struct Call<'a> {
    parts: &'a Parts,
    layout: &'a Layout,
    spec: &'a ObjectSpec<'a>,
    ln: FuncId,
    log2: FuncId,
    block: Value,
    work: Value,
    frame: Value,
    out: Value,
}

/// A tile: its first row, by number and by address, and how many rows it has.
#[derive(Clone, Copy)]
struct Tile {
    first: Value,
    rows: Value,
    n: Value,
}

/// Defines a function of the weights' block, the rows, their number, the results, the
/// workspace and where to put a fault (or null). It gives a status.
pub(super) fn define(
    library: &mut Library,
    parts: &Parts,
    (layout, weights): (&Layout, i64),
    spec: &ObjectSpec,
) -> Result<FuncId, CodegenError> {
    let one = (&[types::F64][..], Some(types::F64));
    let (ln, log2) = (library.import("log", one)?, library.import("log2", one)?);
    let kind = (&[types::I64; 6][..], Some(types::I32));
    library.local("evaluate", kind, |w, arguments| {
        let (rows, n_rows, fault) = (arguments[1], arguments[2], arguments[5]);
        // No rows need no memory, which may be null then.
        let is_nothing = w.equals(n_rows, 0);
        w.return_if(is_nothing, |w| {
            vec![w.b.ins().iconst(types::I32, status::OK)]
        });
        let work = w.plus(arguments[4], ALIGN - 1);
        let work = w.b.ins().band_imm_s(work, -ALIGN);
        let call = Call {
            parts,
            layout,
            spec,
            ln,
            log2,
            block: arguments[0],
            work,
            frame: w.stack(size_of::<Frame>() as u32),
            out: arguments[3],
        };
        call.start(w, weights);
        let zero = w.int(0);
        let first = w.variable(zero);
        let lanes = spec.precision.lanes() as i64;
        w.while_true(
            |w| {
                let first = w.get(first);
                w.less(first, n_rows)
            },
            |w| {
                let at = w.get(first);
                let left = w.b.ins().isub(n_rows, at);
                let lanes_ = w.int(lanes);
                let is_last = w.less(left, lanes_);
                let n = w.select(is_last, left, lanes_);
                let row_bytes = 8 * spec.circuit.variables().len() as i64;
                let rows = w.element(rows, at, row_bytes);
                let tile = Tile { first: at, rows, n };
                call.tile(w, tile, fault);
                let next = w.plus(at, lanes);
                w.set(first, next);
            },
        );
        let ok = w.b.ins().iconst(types::I32, status::OK);
        w.give(&[ok]);
    })
}

impl Call<'_> {
    fn buffer(&self, w: &mut Writer, offset: i64) -> Value {
        w.plus(self.work, offset)
    }

    /// Fills the frame and what does not change from tile to tile.
    fn start(&self, w: &mut Writer, weights: i64) {
        let layout = self.layout;
        frame::fill(w, self.frame, self.work, (layout, &layout.first));
        let weights = w.plus(self.block, weights);
        w.store(weights, self.frame, offset_of!(Frame, weights) as i32);
        w.store(self.block, self.frame, offset_of!(Frame, densities) as i32);
        let n_codes = w.int(self.spec.plan.n_code_rows() as i64);
        let soft = self.buffer(w, layout.soft);
        w.each(n_codes, |w, row| {
            let place = w.element(soft, row, 8);
            let null = w.int(0);
            w.store(null, place, 0);
        });
    }

    fn tile(&self, w: &mut Writer, tile: Tile, fault: Value) {
        let layout = self.layout;
        let [values, codes, reals] =
            [layout.first.values, layout.codes, layout.reals].map(|at| self.buffer(w, at));
        let arguments = [tile.rows, tile.n, values, codes, reals];
        let wrong = w.value_of(self.parts.fill, &arguments);
        let minus_one = w.int(-1);
        let is_wrong = w.b.ins().icmp(
            cranelift_codegen::ir::condcodes::IntCC::NotEqual,
            wrong,
            minus_one,
        );
        w.return_if(is_wrong, |w| {
            let is_wanted =
                w.b.ins()
                    .icmp_imm_s(cranelift_codegen::ir::condcodes::IntCC::NotEqual, fault, 0);
            w.when(is_wanted, |w| self.tell(w, tile, wrong, fault));
            vec![w.b.ins().iconst(types::I32, status::CELL)]
        });
        let lost = self.run(w);
        let no = w.int(0);
        let is_bounded = w.variable(no);
        w.each(tile.n, |w, lane| {
            self.lane(w, (tile, lane), lost, is_bounded)
        });
    }

    /// Says which row and which variable.
    fn tell(&self, w: &mut Writer, tile: Tile, wrong: Value, fault: Value) {
        let n = w.int(self.spec.circuit.variables().len() as i64);
        let row = w.b.ins().udiv(wrong, n);
        let column = w.b.ins().urem(wrong, n);
        let row = w.b.ins().iadd(row, tile.first);
        w.store(row, fault, 0);
        w.store(column, fault, 8);
    }

    /// Runs the pass; gives a bit for each sample in which something may be lost.
    fn run(&self, w: &mut Writer) -> Value {
        let environment = &self.parts.environment;
        let lost = self.buffer(w, self.layout.lost);
        let none = w.int(0);
        w.store(none, lost, 0);
        let before = environment.enter(w);
        for &driver in &self.parts.drivers {
            w.call(driver, &[self.frame]);
        }
        let after = w.value_of(environment.read, &[]);
        w.call(environment.write, &[before]);
        let underflow = w.b.ins().band_imm_s(after, environment.underflow);
        let known = w.load(types::I64, lost, 0);
        let all = w.int(-1);
        w.select(underflow, all, known)
    }

    /// The logarithm of one sample's root, or of the reference where that may be wrong.
    fn lane(&self, w: &mut Writer, (tile, lane): (Tile, Value), lost: Value, is_bounded: Variable) {
        let (root, exponent) = self.root(w, lane);
        let ln = w.value_of(self.ln, &[root]);
        let base = w.double(LN_2);
        let scale = w.b.ins().fmul(exponent, base);
        let log = w.b.ins().fadd(ln, scale);
        let result = w.variable(log);
        let infinity = w.double(f64::INFINITY);
        let is_value = w.compare(FloatCC::LessThan, log, infinity);
        let is_value = w.b.ins().uextend(types::I64, is_value);
        // Weights that do not fit the precision leave everything to the reference.
        let is_faithful = w.load(types::I64, self.block, head::IS_FAITHFUL);
        let is_good = w.b.ins().band(is_value, is_faithful);
        let is_good = w.variable(is_good);
        let bit = w.b.ins().ushr(lost, lane);
        let is_lost = w.b.ins().band_imm_s(bit, 1);
        let good = w.get(is_good);
        let is_open = w.b.ins().band(is_lost, good);
        w.when(is_open, |w| {
            let vouched = self.is_vouched(w, root, exponent);
            w.set(is_good, vouched);
            w.either(
                vouched,
                |_| {},
                |w| {
                    let harmless = self.is_harmless(w, (tile, lane), is_bounded);
                    w.set(is_good, harmless);
                },
            );
        });
        let good = w.get(is_good);
        w.either(
            good,
            |_| {},
            |w| {
                let row_bytes = 8 * self.spec.circuit.variables().len() as i64;
                let row = w.element(tile.rows, lane, row_bytes);
                let logs = self.buffer(w, self.layout.unit_logs);
                let log = w.value_of(self.parts.reference, &[self.block, row, logs]);
                w.set(result, log);
            },
        );
        let row = w.b.ins().iadd(tile.first, lane);
        let place = w.element(self.out, row, 8);
        let log = w.get(result);
        // Taking 0 away changes no bit.
        let divisor = w.load(types::F64, self.block, head::LOG_DIVISOR);
        let log = w.b.ins().fsub(log, divisor);
        w.store(log, place, 0);
    }

    /// 1 if a sample lost no more than is tolerated; the first that is asked for has all
    /// of the tile bounded.
    fn is_harmless(&self, w: &mut Writer, (tile, lane): (Tile, Value), known: Variable) -> Value {
        let is_known = w.get(known);
        w.either(
            is_known,
            |_| {},
            |w| {
                let arguments = [self.block, tile.rows, tile.n, self.work];
                w.call(self.parts.second_look, &arguments);
                let yes = w.int(1);
                w.set(known, yes);
            },
        );
        let losses = self.buffer(w, self.layout.losses);
        let loss = w.element(losses, lane, 8);
        let loss = w.load(types::F64, loss, 0);
        let tolerance = w.double(self.spec.second_look.tolerance);
        let is_harmless = w.compare(FloatCC::LessThanOrEqual, loss, tolerance);
        w.b.ins().uextend(types::I64, is_harmless)
    }

    /// The root of a sample and its exponent, as doubles.
    fn root(&self, w: &mut Writer, lane: Value) -> (Value, Value) {
        let (plan, precision) = (self.spec.plan, self.spec.precision);
        let row = i64::from(plan.root().0) * ROW_BYTES as i64;
        let row = self.buffer(w, self.layout.first.values + row);
        let place = w.element(row, lane, precision.bytes() as i64);
        let root = match precision {
            Precision::F32 => {
                let root = w.load(types::F32, place, 0);
                w.b.ins().fpromote(types::F64, root)
            }
            Precision::F64 => w.load(types::F64, place, 0),
        };
        let exponent = match plan.root_exponent() {
            None => w.double(0.0),
            Some(id) => {
                let row = i64::from(id.0) * 4 * precision.lanes() as i64;
                let row = self.buffer(w, self.layout.first.exponents + row);
                let place = w.element(row, lane, 4);
                let exponent = w.load(types::I32, place, 0);
                w.b.ins().fcvt_from_sint(types::F64, exponent)
            }
        };
        (root, exponent)
    }

    /// 1 if the root is so large that losses do not matter.
    fn is_vouched(&self, w: &mut Writer, root: Value, exponent: Value) -> Value {
        let log2 = w.value_of(self.log2, &[root]);
        let log2 = w.b.ins().fadd(log2, exponent);
        let least = w.load(types::F64, self.block, head::LOG2_LEAST);
        let infinity = w.double(f64::INFINITY);
        let is_finite = w.compare(FloatCC::LessThan, log2, infinity);
        let is_large = w.compare(FloatCC::GreaterThanOrEqual, log2, least);
        let vouched = w.b.ins().band(is_finite, is_large);
        w.b.ins().uextend(types::I64, vouched)
    }
}
