//! A second look at a tile in which something was lost: a pass up and down that bounds
//! what that means for each root, as `runtime/src/model/careful.rs` explains.

use super::ObjectSpec;
use super::environment::Environment;
use super::frame;
use super::layout::Layout;
use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use crate::kernel::{Frame, Precision, ROW_BYTES};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_module::FuncId;
use std::mem::offset_of;

const ROW: i64 = ROW_BYTES as i64;

/// What the look is put together from.
pub(super) struct Parts {
    pub(super) fill: FuncId,
    pub(super) environment: Environment,
    pub(super) forward: Vec<FuncId>,
    pub(super) backward: Vec<FuncId>,
}

/// The addresses that all steps share.
struct Look<'a> {
    spec: &'a ObjectSpec<'a>,
    /// The root's row.
    root: Value,
    derivatives: Value,
    /// The root's row of derivatives.
    start: Value,
    losses: Value,
}

/// Defines a function of the weights' block, the first row of a tile, the number of its
/// rows and the workspace. It writes what each sample lost at most.
pub(super) fn define(
    library: &mut Library,
    parts: &Parts,
    (layout, weights): (&Layout, i64),
    spec: &ObjectSpec,
) -> Result<FuncId, CodegenError> {
    let plan = spec.second_look.plan;
    let kind = (&[types::I64; 4][..], None);
    library.local("second_look", kind, |w, arguments| {
        let [block, rows, n, work] = [0, 1, 2, 3].map(|at| arguments[at]);
        let frame = w.stack(size_of::<Frame>() as u32);
        frame::fill(w, frame, work, (layout, &layout.again));
        let derivatives = w.plus(work, layout.derivatives);
        let counts = w.plus(work, layout.counts);
        let weights = w.plus(block, weights);
        for (offset, buffer) in [
            (offset_of!(Frame, derivatives), derivatives),
            (offset_of!(Frame, counts), counts),
            (offset_of!(Frame, weights), weights),
            (offset_of!(Frame, densities), block),
        ] {
            w.store(buffer, frame, offset as i32);
        }
        let values = w.plus(work, layout.again.values);
        let (codes, reals) = (w.plus(work, layout.codes), w.plus(work, layout.reals));
        w.call(parts.fill, &[rows, n, values, codes, reals]);
        let root = i64::from(plan.root().0) * ROW;
        let start = i64::from(plan.derivative_row(plan.root()).0) * ROW;
        let look = Look {
            spec,
            root: w.plus(values, root),
            derivatives,
            start: w.plus(derivatives, start),
            losses: w.plus(work, layout.losses),
        };
        let before = parts.environment.enter(w);
        parts.forward.iter().for_each(|&driver| {
            w.call(driver, &[frame]);
        });
        look.zero(w);
        look.set_start(w);
        parts.backward.iter().for_each(|&driver| {
            w.call(driver, &[frame]);
        });
        w.call(parts.environment.write, &[before]);
        look.bound(w);
        w.give(&[]);
    })
}

impl Look<'_> {
    fn lanes(&self) -> i64 {
        self.spec.precision.lanes() as i64
    }

    /// A number of the kernels' precision as a double.
    fn number(&self, w: &mut Writer, row: Value, lane: Value) -> Value {
        let place = w.element(row, lane, self.spec.precision.bytes() as i64);
        match self.spec.precision {
            Precision::F32 => {
                let number = w.load(types::F32, place, 0);
                w.b.ins().fpromote(types::F64, number)
            }
            Precision::F64 => w.load(types::F64, place, 0),
        }
    }

    /// Zeroes all derivatives: some are added to before they are set, and those of
    /// evidence nobody sets.
    fn zero(&self, w: &mut Writer) {
        let n_rows = w.int(self.spec.second_look.plan.n_derivative_rows() as i64);
        w.each(n_rows, |w, number| {
            let row = w.element(self.derivatives, number, ROW);
            let zero = w.int(0);
            for offset in (0..ROW as i32).step_by(8) {
                w.store(zero, row, offset);
            }
        });
    }

    /// Derivatives begin with that of the root's logarithm; zero where there is none.
    fn set_start(&self, w: &mut Writer) {
        let lanes = w.int(self.lanes());
        w.each(lanes, |w, lane| {
            let root = self.number(w, self.root, lane);
            let (one, zero) = (w.double(1.0), w.double(0.0));
            let inverse = w.b.ins().fdiv(one, root);
            let is_positive = w.compare(FloatCC::GreaterThan, root, zero);
            let start = w.select(is_positive, inverse, zero);
            let start = match self.spec.precision {
                Precision::F32 => w.b.ins().fdemote(types::F32, start),
                Precision::F64 => start,
            };
            let place = w.element(self.start, lane, self.spec.precision.bytes() as i64);
            w.store(start, place, 0);
        });
    }

    /// The losses of all operations, each less than the smallest normal number times its
    /// derivative, as a part of the root.
    fn bound(&self, w: &mut Writer) {
        let lanes = w.int(self.lanes());
        let n_rows = w.int(self.spec.second_look.plan.n_derivative_rows() as i64);
        w.each(lanes, |w, lane| {
            let zero = w.double(0.0);
            let total = w.variable(zero);
            w.each(n_rows, |w, number| {
                let row = w.element(self.derivatives, number, ROW);
                let derivative = self.number(w, row, lane);
                let old = w.get(total);
                let new = w.b.ins().fadd(old, derivative);
                w.set(total, new);
            });
            let total = w.get(total);
            let root = self.number(w, self.root, lane);
            let start = self.number(w, self.start, lane);
            let scale = w.b.ins().fmul(root, start);
            let loss = self.loss(w, total, root, scale);
            let place = w.element(self.losses, lane, 8);
            w.store(loss, place, 0);
        });
    }

    fn loss(&self, w: &mut Writer, total: Value, root: Value, scale: Value) -> Value {
        let smallest = match self.spec.precision {
            Precision::F32 => 2.0_f64.powi(-126),
            Precision::F64 => 2.0_f64.powi(-1022),
        };
        let (n_losses, smallest) = (w.double(self.spec.second_look.n_losses), w.double(smallest));
        let (zero, infinity) = (w.double(0.0), w.double(f64::INFINITY));
        let nothing_known = w.double(f64::NAN);
        let losses = w.b.ins().fmul(total, n_losses);
        let losses = w.b.ins().fmul(losses, smallest);
        let part = w.b.ins().fdiv(losses, scale);
        // A sample whose derivatives start with nothing takes no part.
        let takes_part = w.compare(FloatCC::GreaterThan, scale, zero);
        let part = w.select(takes_part, part, zero);
        let is_positive = w.compare(FloatCC::GreaterThan, root, zero);
        let is_finite = w.compare(FloatCC::LessThan, root, infinity);
        let is_known = w.b.ins().band(is_positive, is_finite);
        w.select(is_known, part, nothing_known)
    }
}
