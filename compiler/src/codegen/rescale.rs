//! Common exponents: maxima, exponents and factors from the bits of numbers.
//!
//! Exponents are 32-bit integers whatever the precision, so everything between
//! the maximum of a class and its factor happens in vectors of four such lanes.
//! A chunk of four vectors of numbers is four of these in single precision and
//! two in double.

use super::emitter::{CHUNK, FrameBuffer, FunctionEmitter, VECTOR, WIDTH};
use crate::kernel::{KernelPass, Precision, ROW_BYTES};
use crate::plan::{ExponentId, FactorId, PlanRow, ScaleClass, ScopeRescale};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};

const ROW: i64 = ROW_BYTES as i64;

/// Below every exponent that a positive number can have.
const NOTHING: i32 = i32::MIN / 2;

/// Emits a rescaling.
pub(super) fn emit(e: &mut FunctionEmitter, frame: Value, op: &ScopeRescale, pass: KernelPass) {
    match pass {
        KernelPass::Forward | KernelPass::Max => forward(e, frame, op),
        KernelPass::Backward => backward(e, frame, op),
    }
}

/// `exponent = sum of inputs`
pub(super) fn add_exponents(
    e: &mut FunctionEmitter,
    frame: Value,
    sum: ExponentId,
    inputs: &[ExponentId],
) {
    let exponents = e.buffer(frame, FrameBuffer::Exponents);
    let row = exponent_row(e);
    e.repeat((row / VECTOR) as u64, &[exponents], |e, carried| {
        let mut total = None;
        for &input in inputs {
            let part = e.load_as(types::I32X4, carried[0], i64::from(input.0) * row);
            total = Some(match total {
                None => part,
                Some(total) => e.builder.ins().iadd(total, part),
            });
        }
        let total = total.unwrap_or_else(|| e.splat_i32(0));
        e.store(total, carried[0], i64::from(sum.0) * row);
        vec![e.at(carried[0], VECTOR)]
    });
}

/// Bytes of a row of exponents.
fn exponent_row(e: &FunctionEmitter) -> i64 {
    4 * e.target.precision.lanes() as i64
}

/// The addresses of one chunk of the samples.
struct ChunkAddresses {
    values: Value,
    exponents: Value,
    factors: Value,
}

/// A class with its maximum: quads are vectors of four samples.
struct ScaleClassMaximum<'a> {
    class: &'a ScaleClass,
    exponents: Vec<Value>,
    positive: Vec<Value>,
    candidates: Vec<Value>,
}

fn forward(e: &mut FunctionEmitter, frame: Value, op: &ScopeRescale) {
    let buffers = [
        FrameBuffer::Values,
        FrameBuffer::Exponents,
        FrameBuffer::Factors,
    ];
    let mut carried = buffers.map(|buffer| e.buffer(frame, buffer)).to_vec();
    // Lost samples of the chunks so far, rotated so that the next chunk's bits
    // are the lowest.
    carried.push(e.builder.ins().iconst(types::I64, 0));
    // Chunk by chunk: measure all classes, choose the common exponent, scale, note losses.
    let samples = quads(e) * 4;
    let chunks = (ROW / CHUNK) as u64;
    let result = e.repeat(chunks, &carried, |e, carried| {
        let here = ChunkAddresses {
            values: carried[0],
            exponents: carried[1],
            factors: carried[2],
        };
        let lost = chunk(e, op, &here);
        let lost = e.builder.ins().bor(carried[3], lost);
        let turn = e.builder.ins().iconst(types::I64, samples);
        vec![
            e.at(here.values, CHUNK),
            e.at(here.exponents, samples * 4),
            e.at(here.factors, CHUNK),
            e.builder.ins().rotr(lost, turn),
        ]
    });
    // After the last chunk the bits are turned back to where their samples are.
    let turned = samples * chunks as i64 % 64;
    let back = e.builder.ins().iconst(types::I64, turned);
    let lost = e.builder.ins().rotl(result[3], back);
    let place = e.buffer(frame, FrameBuffer::Lost);
    let old = e.load_as(types::I64, place, 0);
    let new = e.builder.ins().bor(old, lost);
    e.store(new, place, 0);
}

/// Rescales one chunk; the result has a bit for each sample that lost a value.
fn chunk(e: &mut FunctionEmitter, op: &ScopeRescale, here: &ChunkAddresses) -> Value {
    // 1. The largest value of every class, as an exponent relative to what the class has now.
    let mut classes = Vec::with_capacity(op.classes.len());
    for class in &op.classes {
        classes.push(measure(e, class, here));
    }
    // 2. The largest of all classes becomes the exponent of the scope.
    let new = common_exponents(e, &classes);
    let row = exponent_row(e);
    for (q, &exponents) in new.iter().enumerate() {
        let at = i64::from(op.exponent.0) * row + q as i64 * VECTOR;
        e.store(exponents, here.exponents, at);
    }
    let mut lost = e.builder.ins().iconst(types::I64, 0);
    for class in &classes {
        let bits = scale(e, class, &new, here);
        lost = e.builder.ins().bor(lost, bits);
    }
    lost
}

/// Vectors of four samples in a chunk.
fn quads(e: &FunctionEmitter) -> i64 {
    CHUNK / e.target.precision.bytes() as i64 / 4
}

fn measure<'a>(
    e: &mut FunctionEmitter,
    class: &'a ScaleClass,
    here: &ChunkAddresses,
) -> ScaleClassMaximum<'a> {
    let maxima = maxima(e, class, here.values);
    let mut measured = ScaleClassMaximum {
        class,
        exponents: Vec::new(),
        positive: Vec::new(),
        candidates: Vec::new(),
    };
    let per_quad = WIDTH / quads(e) as usize;
    for (q, maxima) in maxima.chunks(per_quad).enumerate() {
        let exponents = old_exponents(e, class.exponent, here, q as i64);
        let positive = positive(e, maxima);
        let sum = {
            let own = own_exponents(e, maxima);
            e.builder.ins().iadd(exponents, own)
        };
        let nothing = e.splat_i32(NOTHING);
        let candidate = e.builder.ins().bitselect(positive, sum, nothing);
        measured.exponents.push(exponents);
        measured.positive.push(positive);
        measured.candidates.push(candidate);
    }
    measured
}

fn maxima(e: &mut FunctionEmitter, class: &ScaleClass, values: Value) -> Vec<Value> {
    let mut maxima: Vec<_> = (0..WIDTH).map(|_| e.zero()).collect();
    for &(first, n) in &class.rows {
        let start = e.at(values, i64::from(first.0) * ROW);
        let carried = [&[start], &maxima[..]].concat();
        let result = e.repeat(u64::from(n), &carried, |e, carried| {
            let mut next = vec![e.at(carried[0], ROW)];
            for (k, &max) in carried[1..].iter().enumerate() {
                let value = e.load(carried[0], k as i64 * VECTOR);
                next.push(e.max(max, value));
            }
            next
        });
        maxima = result[1..].to_vec();
    }
    maxima
}

fn old_exponents(
    e: &mut FunctionEmitter,
    id: Option<ExponentId>,
    here: &ChunkAddresses,
    quad: i64,
) -> Value {
    match id {
        None => e.splat_i32(0),
        Some(id) => {
            let at = i64::from(id.0) * exponent_row(e) + quad * VECTOR;
            e.load_as(types::I32X4, here.exponents, at)
        }
    }
}

/// A mask of the samples with a positive maximum.
fn positive(e: &mut FunctionEmitter, maxima: &[Value]) -> Value {
    let zero = e.zero();
    let mut masks = Vec::with_capacity(2);
    for &max in maxima {
        masks.push(e.builder.ins().fcmp(FloatCC::GreaterThan, max, zero));
    }
    join(e, &masks)
}

/// The exponent fields of the maxima, less the bias.
fn own_exponents(e: &mut FunctionEmitter, maxima: &[Value]) -> Value {
    let (fraction, bias) = format(e.target.precision);
    let integer = e.target.vector().as_int();
    let mut fields = Vec::with_capacity(2);
    for &max in maxima {
        let bits = e.bitcast(integer, max);
        let by = e.builder.ins().iconst(types::I32, fraction);
        fields.push(e.builder.ins().ushr(bits, by));
    }
    let fields = join(e, &fields);
    let bias = e.splat_i32(bias);
    e.builder.ins().isub(fields, bias)
}

/// Bits of the fraction, and the bias of the exponent.
fn format(precision: Precision) -> (i64, i32) {
    match precision {
        Precision::F32 => (23, 127),
        Precision::F64 => (52, 1023),
    }
}

/// Integers of four samples as lanes of 32 bits.
fn join(e: &mut FunctionEmitter, parts: &[Value]) -> Value {
    match *parts {
        [quad] => quad,
        [low, high] => e.narrow(low, high),
        _ => unreachable!("four samples are one or two vectors"),
    }
}

/// The largest candidates; where there is none, the first class's exponents.
fn common_exponents(e: &mut FunctionEmitter, classes: &[ScaleClassMaximum]) -> Vec<Value> {
    let mut common = Vec::new();
    for q in 0..quads(e) as usize {
        let Some((first, others)) = classes.split_first() else {
            common.push(e.splat_i32(0));
            continue;
        };
        let mut largest = first.candidates[q];
        for class in others {
            largest = e.builder.ins().smax(largest, class.candidates[q]);
        }
        let nothing = e.splat_i32(NOTHING);
        let none = e.builder.ins().icmp(IntCC::Equal, largest, nothing);
        let exponents = first.exponents[q];
        common.push(e.builder.ins().bitselect(none, exponents, largest));
    }
    common
}

/// Multiplies a class by its factors; the result has a bit for each sample in
/// which a positive class met the factor zero.
fn scale(
    e: &mut FunctionEmitter,
    measured: &ScaleClassMaximum,
    new: &[Value],
    here: &ChunkAddresses,
) -> Value {
    let mut lost = e.builder.ins().iconst(types::I64, 0);
    let mut factors = Vec::with_capacity(WIDTH);
    for (q, &new) in new.iter().enumerate() {
        // The factor is two to the difference of exponents, built from its bits. Where its
        // exponent field is 0 although there were positive values, those are lost.
        let difference = e.builder.ins().isub(measured.exponents[q], new);
        let field = factor_field(e, difference);
        let zero = e.splat_i32(0);
        let vanished = e.builder.ins().icmp(IntCC::Equal, field, zero);
        let mask = e.builder.ins().band(vanished, measured.positive[q]);
        // One bit a sample, moved to where the samples of this quad belong.
        let bits = e.builder.ins().vhigh_bits(types::I64, mask);
        let shift = e.builder.ins().iconst(types::I64, q as i64 * 4);
        let bits = e.builder.ins().ishl(bits, shift);
        lost = e.builder.ins().bor(lost, bits);
        factors.extend(powers(e, field));
    }
    for (k, &factor) in factors.iter().enumerate() {
        e.store(factor, here.factors, factor_place(measured.class.factor, k));
    }
    multiply(e, &measured.class.rows, here.values, &factors);
    lost
}

/// The exponent field of two to a power: 0 stands for what is too small, and
/// the largest is finite, so that rows of zeros stay zero.
fn factor_field(e: &mut FunctionEmitter, power: Value) -> Value {
    let (_, bias) = format(e.target.precision);
    let (zero, largest) = (e.splat_i32(0), e.splat_i32(2 * bias));
    let bias = e.splat_i32(bias);
    let field = e.builder.ins().iadd(power, bias);
    let field = e.builder.ins().smax(field, zero);
    e.builder.ins().smin(field, largest)
}

/// Numbers with the given exponent fields and no fraction.
fn powers(e: &mut FunctionEmitter, field: Value) -> Vec<Value> {
    let (fraction, _) = format(e.target.precision);
    let fields = match e.target.precision {
        Precision::F32 => vec![field],
        Precision::F64 => {
            let low = e.builder.ins().uwiden_low(field);
            vec![low, e.builder.ins().uwiden_high(field)]
        }
    };
    let mut powers = Vec::with_capacity(2);
    for field in fields {
        let by = e.builder.ins().iconst(types::I32, fraction);
        let bits = e.builder.ins().ishl(field, by);
        powers.push(e.bitcast(e.target.vector(), bits));
    }
    powers
}

fn factor_place(factor: FactorId, vector: usize) -> i64 {
    i64::from(factor.0) * ROW + vector as i64 * VECTOR
}

/// Multiplies a chunk of runs of rows by factors.
fn multiply(e: &mut FunctionEmitter, rows: &[(PlanRow, u32)], buffer: Value, factors: &[Value]) {
    for &(first, n) in rows {
        let start = e.at(buffer, i64::from(first.0) * ROW);
        e.repeat(u64::from(n), &[start], |e, carried| {
            for (k, &factor) in factors.iter().enumerate() {
                let value = e.load(carried[0], k as i64 * VECTOR);
                let scaled = e.mul(factor, value);
                e.store(scaled, carried[0], k as i64 * VECTOR);
            }
            vec![e.at(carried[0], ROW)]
        });
    }
}

fn backward(e: &mut FunctionEmitter, frame: Value, op: &ScopeRescale) {
    let derivatives = e.buffer(frame, FrameBuffer::Derivatives);
    let factors = e.buffer(frame, FrameBuffer::Factors);
    e.repeat(
        (ROW / CHUNK) as u64,
        &[derivatives, factors],
        |e, carried| {
            for class in &op.classes {
                let factors: Vec<_> = (0..WIDTH)
                    .map(|k| e.load(carried[1], factor_place(class.factor, k)))
                    .collect();
                multiply(e, &class.rows, carried[0], &factors);
            }
            vec![e.at(carried[0], CHUNK), e.at(carried[1], CHUNK)]
        },
    );
}
