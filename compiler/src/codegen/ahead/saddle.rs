//! Probabilities of counts that are large: the formulas of `leaf/saddle.rs`, with the same
//! operations in the same order.

use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use crate::leaf::remainder::TERMS;
use crate::leaf::saddle::{SERIES, SERIES_FROM};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_module::FuncId;
use std::f64::consts::TAU;

/// The functions that formulas call.
#[derive(Clone, Copy)]
pub(super) struct Saddle {
    /// `x y + z`, rounded once.
    pub fma: FuncId,
    /// Of a count, a rate and by how much the count is larger.
    pub log_poisson: FuncId,
    /// Of successes, trials, by how many successes are more than the mean, the chances of
    /// failure and success, and their logarithms.
    pub log_binomial: FuncId,
}

/// Defines the functions.
pub(super) fn define(library: &mut Library, ln: FuncId) -> Result<Saddle, CodegenError> {
    let kinds = [types::F64; 7];
    let one = (&kinds[..1], Some(types::F64));
    let (three, seven) = (
        (&kinds[..3], Some(types::F64)),
        (&kinds[..], Some(types::F64)),
    );
    let fma = library.import("fma", three)?;
    let remainder = library.local("ln_1p_minus", one, |w, arguments| {
        ln_1p_minus(w, ln, arguments[0]);
    })?;
    let correction = library.local("correction", one, |w, arguments| {
        let result = correction(w, remainder, arguments[0]);
        w.give(&[result]);
    })?;
    let deviance = library.local("deviance", three, |w, arguments| {
        deviance(w, (ln, remainder), arguments);
    })?;
    let calls = Calls {
        ln,
        correction,
        deviance,
    };
    let log_poisson = library.local("log_poisson", three, |w, arguments| {
        poisson(w, calls, arguments);
    })?;
    let log_binomial = library.local("log_binomial", seven, |w, arguments| {
        binomial(w, calls, arguments);
    })?;
    Ok(Saddle {
        fma,
        log_poisson,
        log_binomial,
    })
}

#[derive(Clone, Copy)]
struct Calls {
    ln: FuncId,
    correction: FuncId,
    deviance: FuncId,
}

fn ln_1p_minus(w: &mut Writer, ln: FuncId, u: Value) {
    let (half, one) = (w.double(0.5), w.double(1.0));
    let size = w.b.ins().fabs(u);
    let is_large = w.compare(FloatCC::GreaterThanOrEqual, size, half);
    w.return_if(is_large, |w| {
        let whole = w.b.ins().fadd(one, u);
        let log = w.value_of(ln, &[whole]);
        vec![w.b.ins().fsub(log, u)]
    });
    let two = w.double(2.0);
    let below = w.b.ins().fadd(two, u);
    let r = w.b.ins().fdiv(u, below);
    let square = w.b.ins().fmul(r, r);
    let mut sum = w.double(0.0);
    for k in (0..TERMS).rev() {
        let coefficient = w.double(1.0 / f64::from(2 * k + 3));
        let product = w.b.ins().fmul(sum, square);
        sum = w.b.ins().fadd(product, coefficient);
    }
    let twice = w.b.ins().fmul(two, square);
    let more = w.b.ins().fmul(twice, sum);
    let rest = w.b.ins().fsub(more, u);
    let result = w.b.ins().fmul(r, rest);
    w.give(&[result]);
}

fn correction(w: &mut Writer, remainder: FuncId, x: Value) -> Value {
    let [zero, half, one, from] = [0.0, 0.5, 1.0, SERIES_FROM].map(|x| w.double(x));
    let (place, sum) = (w.variable(x), w.variable(zero));
    w.while_true(
        |w| {
            let x = w.get(place);
            w.compare(FloatCC::LessThan, x, from)
        },
        |w| {
            let (x, old) = (w.get(place), w.get(sum));
            let u = w.b.ins().fdiv(one, x);
            let rest = w.value_of(remainder, &[u]);
            let middle = w.b.ins().fadd(x, half);
            let first = w.b.ins().fmul(middle, rest);
            let second = w.b.ins().fmul(half, u);
            let both = w.b.ins().fadd(first, second);
            let new = w.b.ins().fadd(old, both);
            w.set(sum, new);
            let next = w.b.ins().fadd(x, one);
            w.set(place, next);
        },
    );
    let x = w.get(place);
    let u = w.b.ins().fdiv(one, x);
    let v = w.b.ins().fmul(u, u);
    let [first, others @ ..] = &SERIES;
    let mut series = w.double(*first);
    for &coefficient in others {
        let coefficient = w.double(coefficient);
        let product = w.b.ins().fmul(v, series);
        series = w.b.ins().fsub(coefficient, product);
    }
    let last = w.b.ins().fmul(u, series);
    let sum = w.get(sum);
    w.b.ins().fadd(sum, last)
}

fn deviance(w: &mut Writer, (ln, remainder): (FuncId, FuncId), arguments: &[Value]) {
    let (x, mean, distance) = (arguments[0], arguments[1], arguments[2]);
    let (minus, back) = (w.b.ins().fneg(x), w.b.ins().fneg(distance));
    let share = w.b.ins().fdiv(back, x);
    let (size, half) = (w.b.ins().fabs(share), w.double(0.5));
    let is_near = w.compare(FloatCC::LessThan, size, half);
    w.return_if(is_near, |w| {
        let rest = w.value_of(remainder, &[share]);
        vec![w.b.ins().fmul(minus, rest)]
    });
    let ratio = w.b.ins().fdiv(mean, x);
    let log = w.value_of(ln, &[ratio]);
    let product = w.b.ins().fmul(minus, log);
    let result = w.b.ins().fsub(product, distance);
    w.give(&[result]);
}

/// `-correction(k) - deviance(k, distance) - ln(2πk) / 2`; at 0, the rate alone.
fn poisson(w: &mut Writer, calls: Calls, arguments: &[Value]) {
    let (k, rate, distance) = (arguments[0], arguments[1], arguments[2]);
    let zero = w.double(0.0);
    let is_none = w.compare(FloatCC::Equal, k, zero);
    w.return_if(is_none, |w| vec![w.b.ins().fneg(rate)]);
    let own = w.value_of(calls.correction, &[k]);
    let less = w.b.ins().fneg(own);
    let fall = w.value_of(calls.deviance, &[k, rate, distance]);
    let less = w.b.ins().fsub(less, fall);
    let (tau, half) = (w.double(TAU), w.double(0.5));
    let width = w.b.ins().fmul(tau, k);
    let width = w.value_of(calls.ln, &[width]);
    let width = w.b.ins().fmul(half, width);
    let result = w.b.ins().fsub(less, width);
    w.give(&[result]);
}

fn binomial(w: &mut Writer, calls: Calls, arguments: &[Value]) {
    let [k, n, distance] = [0, 1, 2].map(|at| arguments[at]);
    let [q, p, log_q, log_p] = [3, 4, 5, 6].map(|at| arguments[at]);
    let rest = w.b.ins().fsub(n, k);
    let zero = w.double(0.0);
    for (count, log) in [(k, log_q), (rest, log_p)] {
        let is_none = w.compare(FloatCC::Equal, count, zero);
        w.return_if(is_none, |w| {
            let power = w.b.ins().fmul(n, log);
            let is_empty = w.compare(FloatCC::Equal, n, zero);
            vec![w.select(is_empty, zero, power)]
        });
    }
    let corrections = [n, k, rest].map(|x| w.value_of(calls.correction, &[x]));
    let sum = w.b.ins().fsub(corrections[0], corrections[1]);
    let sum = w.b.ins().fsub(sum, corrections[2]);
    let (own, other) = (w.b.ins().fmul(n, p), w.b.ins().fmul(n, q));
    let back = w.b.ins().fneg(distance);
    let first = w.value_of(calls.deviance, &[k, own, distance]);
    let second = w.value_of(calls.deviance, &[rest, other, back]);
    let deviances = w.b.ins().fadd(first, second);
    let sum = w.b.ins().fsub(sum, deviances);
    let (tau, half) = (w.double(TAU), w.double(0.5));
    let width = w.b.ins().fmul(tau, k);
    let width = w.b.ins().fmul(width, rest);
    let share = w.b.ins().fdiv(n, width);
    let log = w.value_of(calls.ln, &[share]);
    let log = w.b.ins().fmul(half, log);
    let result = w.b.ins().fadd(sum, log);
    w.give(&[result]);
}
