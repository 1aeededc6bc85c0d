//! Logarithms of densities, base 2: the formulas of `kernel/density/form.rs` for one
//! cell of one leaf.

use super::gamma;
use super::saddle::{self, Saddle};
use super::weights::leaf;
use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use crate::kernel::density::baked::DensityFormula;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;
use cranelift_module::FuncId;
use std::f64::consts::LOG2_E;

/// Functions that formulas call.
#[derive(Clone, Copy)]
struct Calls {
    ln: FuncId,
    log_choose: FuncId,
    ln_gamma: FuncId,
    saddle: Saddle,
}

/// Defines a function of the weights' block, a leaf in it and a cell.
pub(super) fn define(library: &mut Library) -> Result<FuncId, CodegenError> {
    let one = (&[types::F64][..], Some(types::F64));
    let ln = library.import("log", one)?;
    let log_choose = gamma::define(library, ln)?;
    let ln_gamma = library.declare("ln_gamma", cranelift_module::Linkage::Local, one)?;
    let calls = Calls {
        ln,
        log_choose,
        ln_gamma,
        saddle: saddle::define(library, ln)?,
    };
    let kind = (&[types::I64, types::I64, types::F64][..], Some(types::F64));
    library.local("log_leaf", kind, |w, arguments| {
        let (block, at, x) = (arguments[0], arguments[1], arguments[2]);
        let is_missing = w.compare(FloatCC::Unordered, x, x);
        w.return_if(is_missing, |w| vec![w.load(types::F64, at, leaf::MISSING)]);
        let inside = is_inside(w, block, at, x);
        let outside = w.equals(inside, 0);
        w.return_if(outside, |w| vec![w.double(f64::NEG_INFINITY)]);
        let log = formula(w, calls, (block, at), x);
        w.give(&[log]);
    })
}

/// Whether a cell lies in one of the leaf's intervals. Cells of discrete variables are
/// integers by then.
fn is_inside(w: &mut Writer, block: Value, at: Value, x: Value) -> Value {
    let n = w.load_u32(at, leaf::N_INTERVALS);
    let place = w.load(types::I64, at, leaf::INTERVALS);
    let first = w.b.ins().iadd(block, place);
    let no = w.int(0);
    let inside = w.variable(no);
    w.each(n, |w, number| {
        let interval = w.element(first, number, 16);
        let (low, high) = (
            w.load(types::F64, interval, 0),
            w.load(types::F64, interval, 8),
        );
        let above = w.compare(FloatCC::GreaterThanOrEqual, x, low);
        let below = w.compare(FloatCC::LessThanOrEqual, x, high);
        let both = w.b.ins().band(above, below);
        let both = w.b.ins().uextend(types::I64, both);
        let old = w.get(inside);
        let new = w.b.ins().bor(old, both);
        w.set(inside, new);
    });
    w.get(inside)
}

/// The logarithm where the leaf can be positive.
fn formula(w: &mut Writer, calls: Calls, (block, at): (Value, Value), x: Value) -> Value {
    let kind = w.load_u32(at, leaf::KIND);
    let start = constant(w, at, 0);
    let log = w.variable(start);
    let is = |w: &mut Writer, wanted: DensityFormula| w.equals(kind, wanted as i64);
    let bell = is(w, DensityFormula::Bell);
    w.when(bell, |w| {
        let value = bell_of(w, at, x);
        w.set(log, value);
    });
    let log_bell = is(w, DensityFormula::LogBell);
    w.when(log_bell, |w| {
        let ln = ln_of(w, calls, x);
        let value = bell_of(w, at, ln);
        let base = w.double(LOG2_E);
        let own = w.b.ins().fmul(ln, base);
        let value = w.b.ins().fsub(value, own);
        w.set(log, value);
    });
    let line = is(w, DensityFormula::Line);
    w.when(line, |w| {
        let value = line_of(w, at, x);
        w.set(log, value);
    });
    let tent = is(w, DensityFormula::Tent);
    w.when(tent, |w| {
        let value = tent_of(w, at, x);
        w.set(log, value);
    });
    let log_line = is(w, DensityFormula::LogLine);
    w.when(log_line, |w| {
        let value = line_of(w, at, x);
        let (slope, ln) = (constant(w, at, 2), ln_of(w, calls, x));
        let more = w.b.ins().fmul(slope, ln);
        let value = w.b.ins().fadd(value, more);
        w.set(log, value);
    });
    let steps = is(w, DensityFormula::Steps);
    w.when(steps, |w| {
        let value = step_of(w, block, at, x);
        w.set(log, value);
    });
    let counts = w.b.ins().icmp_imm_s(
        IntCC::UnsignedGreaterThanOrEqual,
        kind,
        DensityFormula::Factorial as i64,
    );
    w.when(counts, |w| {
        let line = line_of(w, at, x);
        let term = count_term(w, calls, (at, kind), x);
        let value = w.b.ins().fadd(line, term);
        w.set(log, value);
    });
    w.get(log)
}

fn constant(w: &mut Writer, at: Value, number: i32) -> Value {
    w.load(types::F64, at, leaf::CONSTANTS + 8 * number)
}

/// The natural logarithm of a positive number, 0 of others.
fn ln_of(w: &mut Writer, calls: Calls, x: Value) -> Value {
    let zero = w.double(0.0);
    let result = w.variable(zero);
    let is_positive = w.compare(FloatCC::GreaterThan, x, zero);
    w.when(is_positive, |w| {
        let ln = w.value_of(calls.ln, &[x]);
        w.set(result, ln);
    });
    w.get(result)
}

/// `constant - ((x - mean) * scale)^2`
fn bell_of(w: &mut Writer, at: Value, x: Value) -> Value {
    let [start, mean, scale] = [0, 1, 2].map(|number| constant(w, at, number));
    let distance = w.b.ins().fsub(x, mean);
    let z = w.b.ins().fmul(distance, scale);
    let square = w.b.ins().fmul(z, z);
    w.b.ins().fsub(start, square)
}

/// `constant + slope * x`
fn line_of(w: &mut Writer, at: Value, x: Value) -> Value {
    let (start, slope) = (constant(w, at, 0), constant(w, at, 1));
    let rise = w.b.ins().fmul(slope, x);
    w.b.ins().fadd(start, rise)
}

/// `constant - slope * |x - mean|`
fn tent_of(w: &mut Writer, at: Value, x: Value) -> Value {
    let [start, mean, slope] = [0, 1, 2].map(|number| constant(w, at, number));
    let distance = w.b.ins().fsub(x, mean);
    let distance = w.b.ins().fabs(distance);
    let fall = w.b.ins().fmul(slope, distance);
    w.b.ins().fsub(start, fall)
}

/// The step whose break is the last that is not above `x`; -inf outside.
fn step_of(w: &mut Writer, block: Value, at: Value, x: Value) -> Value {
    let n_steps = w.load_u32(at, leaf::N_STEPS);
    let place = w.load(types::I64, at, leaf::STEPS);
    let breaks = w.b.ins().iadd(block, place);
    let (zero, n_breaks) = (w.int(0), w.plus(n_steps, 1));
    let (low, high) = (w.variable(zero), w.variable(n_breaks));
    w.while_true(
        |w| {
            let (low, high) = (w.get(low), w.get(high));
            w.less(low, high)
        },
        |w| {
            let (first, last) = (w.get(low), w.get(high));
            let sum = w.b.ins().iadd(first, last);
            let middle = w.b.ins().ushr_imm_u(sum, 1);
            let bound = w.element(breaks, middle, 8);
            let bound = w.load(types::F64, bound, 0);
            let is_below = w.compare(FloatCC::LessThanOrEqual, bound, x);
            let next = w.plus(middle, 1);
            let first = w.select(is_below, next, first);
            let last = w.select(is_below, last, middle);
            w.set(low, first);
            w.set(high, last);
        },
    );
    let above = w.get(low);
    let step = w.plus(above, -1);
    let nothing = w.double(f64::NEG_INFINITY);
    let result = w.variable(nothing);
    // Wraps to the largest number where no break is below.
    let is_step = w.less(step, n_steps);
    w.when(is_step, |w| {
        let logs = w.element(breaks, n_breaks, 8);
        let log = w.element(logs, step, 8);
        let log = w.load(types::F64, log, 0);
        w.set(result, log);
    });
    w.get(result)
}

/// The logarithm of what a count's probability depends on beside its parameters.
fn count_term(w: &mut Writer, calls: Calls, (at, kind): (Value, Value), k: Value) -> Value {
    let nothing = w.double(f64::NEG_INFINITY);
    let result = w.variable(nothing);
    let is = |w: &mut Writer, wanted: DensityFormula| w.equals(kind, wanted as i64);
    let factorial = is(w, DensityFormula::Factorial);
    w.when(factorial, |w| {
        let one = w.double(1.0);
        let next = w.b.ins().fadd(k, one);
        let log = w.value_of(calls.ln_gamma, &[next]);
        let log = w.b.ins().fneg(log);
        scaled(w, result, log);
    });
    let successes = is(w, DensityFormula::Successes);
    w.when(successes, |w| {
        let trials = constant(w, at, 2);
        let fits = w.compare(FloatCC::LessThanOrEqual, k, trials);
        w.when(fits, |w| {
            let log = w.value_of(calls.log_choose, &[trials, k]);
            scaled(w, result, log);
        });
    });
    let failures = is(w, DensityFormula::Failures);
    w.when(failures, |w| {
        let (successes, one) = (constant(w, at, 2), w.double(1.0));
        let all = w.b.ins().fadd(k, successes);
        let all = w.b.ins().fsub(all, one);
        let log = w.value_of(calls.log_choose, &[all, k]);
        scaled(w, result, log);
    });
    let whole: [(DensityFormula, Whole); 5] = [
        (DensityFormula::Poisson, poisson),
        (DensityFormula::Binomial, binomial),
        (DensityFormula::Waiting, waiting),
        (DensityFormula::Drawing, drawing),
        (DensityFormula::Gamma, gamma_density),
    ];
    for (kind, formula) in whole {
        let own = is(w, kind);
        w.when(own, |w| {
            let log = formula(w, calls, at, k);
            scaled(w, result, log);
        });
    }
    let zero = w.double(0.0);
    let is_count = w.compare(FloatCC::GreaterThanOrEqual, k, zero);
    let log = w.get(result);
    w.select(is_count, log, nothing)
}

/// The natural logarithm of a whole probability or density.
type Whole = fn(&mut Writer, Calls, Value, Value) -> Value;

fn poisson(w: &mut Writer, calls: Calls, at: Value, k: Value) -> Value {
    let rate = constant(w, at, 2);
    let distance = w.b.ins().fsub(k, rate);
    w.value_of(calls.saddle.log_poisson, &[k, rate, distance])
}

/// How far successes lie above the mean of trials: by the smaller chance, rounded once.
fn distance(w: &mut Writer, calls: Calls, at: Value, (k, n): (Value, Value)) -> Value {
    let (q, p, half) = (constant(w, at, 3), constant(w, at, 4), w.double(0.5));
    let minus = w.b.ins().fneg(n);
    let by_p = w.value_of(calls.saddle.fma, &[minus, p, k]);
    let rest = w.b.ins().fsub(n, k);
    let rest = w.b.ins().fneg(rest);
    let by_q = w.value_of(calls.saddle.fma, &[n, q, rest]);
    let is_small = w.compare(FloatCC::LessThanOrEqual, p, half);
    w.select(is_small, by_p, by_q)
}

fn binomial(w: &mut Writer, calls: Calls, at: Value, k: Value) -> Value {
    let n = constant(w, at, 2);
    let distance = distance(w, calls, at, (k, n));
    let [q, p, log_q, log_p] = [3, 4, 5, 6].map(|number| constant(w, at, number));
    let arguments = [k, n, distance, q, p, log_q, log_p];
    w.value_of(calls.saddle.log_binomial, &arguments)
}

fn waiting(w: &mut Writer, calls: Calls, at: Value, k: Value) -> Value {
    let successes = constant(w, at, 2);
    let all = w.b.ins().fadd(successes, k);
    let distance = distance(w, calls, at, (successes, all));
    let [q, p, log_q, log_p] = [3, 4, 5, 6].map(|number| constant(w, at, number));
    let share = w.b.ins().fdiv(successes, all);
    let share = w.value_of(calls.ln, &[share]);
    let arguments = [successes, all, distance, q, p, log_q, log_p];
    let log = w.value_of(calls.saddle.log_binomial, &arguments);
    w.b.ins().fadd(share, log)
}

fn drawing(w: &mut Writer, calls: Calls, at: Value, k: Value) -> Value {
    let [good, bad, draws] = [2, 3, 4].map(|number| constant(w, at, number));
    let [log_q, log_p] = [5, 6].map(|number| constant(w, at, number));
    let all = w.b.ins().fadd(good, bad);
    let left = w.b.ins().fsub(all, draws);
    let (q, p) = (w.b.ins().fdiv(left, all), w.b.ins().fdiv(draws, all));
    let product = w.b.ins().fmul(good, draws);
    let minus = w.b.ins().fneg(product);
    let lost = w.value_of(calls.saddle.fma, &[good, draws, minus]);
    let distance = w.value_of(calls.saddle.fma, &[k, all, minus]);
    let distance = w.b.ins().fsub(distance, lost);
    let distance = w.b.ins().fdiv(distance, all);
    let back = w.b.ins().fneg(distance);
    let (other, zero) = (w.b.ins().fsub(draws, k), w.double(0.0));
    let function = calls.saddle.log_binomial;
    let first = w.value_of(function, &[k, good, distance, q, p, log_q, log_p]);
    let second = w.value_of(function, &[other, bad, back, q, p, log_q, log_p]);
    let third = w.value_of(function, &[draws, all, zero, q, p, log_q, log_p]);
    let sum = w.b.ins().fadd(first, second);
    w.b.ins().fsub(sum, third)
}

fn gamma_density(w: &mut Writer, calls: Calls, at: Value, x: Value) -> Value {
    let [shape, rate] = [2, 3].map(|number| constant(w, at, number));
    let mean = w.b.ins().fmul(rate, x);
    let minus = w.b.ins().fneg(rate);
    let distance = w.value_of(calls.saddle.fma, &[minus, x, shape]);
    let log = w.value_of(calls.saddle.log_poisson, &[shape, mean, distance]);
    let (shape, x) = (w.value_of(calls.ln, &[shape]), w.value_of(calls.ln, &[x]));
    let log = w.b.ins().fadd(log, shape);
    w.b.ins().fsub(log, x)
}

/// From natural logarithms to those of base 2.
fn scaled(w: &mut Writer, result: Variable, log: Value) {
    let base = w.double(LOG2_E);
    let log = w.b.ins().fmul(log, base);
    w.set(result, log);
}
