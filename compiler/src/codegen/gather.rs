//! Tables of leaves over larger finite domains.

use super::dense::DenseShape;
use super::emitter::{FrameBuffer, FunctionEmitter};
use crate::kernel::{KernelPass, ROW_BYTES};
use crate::plan::{DerivativeWrite, TableGather};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};

const ROW: i64 = ROW_BYTES as i64;

/// Samples looked up at a time.
const SAMPLES: i64 = 4;

/// The code for soft evidence: a dense layer over the rows of soft evidence,
/// whose weights are the tables without their last entries.
pub(super) fn soft_shape(op: &TableGather, pass: KernelPass) -> DenseShape {
    DenseShape {
        pass,
        n_out: op.n,
        n_in: op.n_values,
        stride: op.n_values + 1,
        flow: DerivativeWrite::Skip,
    }
}

/// Where the tables, or the counts, of an operation begin.
pub(super) fn tables(
    e: &mut FunctionEmitter,
    frame: Value,
    op: &TableGather,
    buffer: FrameBuffer,
) -> Value {
    let bytes = e.target.precision.bytes() as i64;
    let buffer = e.buffer(frame, buffer);
    e.at(buffer, i64::from(op.weights.0) * bytes)
}

/// Where the rows of an operation's leaves begin.
pub(super) fn leaves(
    e: &mut FunctionEmitter,
    frame: Value,
    op: &TableGather,
    buffer: FrameBuffer,
) -> Value {
    let buffer = e.buffer(frame, buffer);
    e.at(buffer, i64::from(op.out.0) * ROW)
}

/// The soft evidence of the variable, or null.
pub(super) fn soft(e: &mut FunctionEmitter, frame: Value, op: &TableGather) -> Value {
    let all = e.buffer(frame, FrameBuffer::Soft);
    let pointer = e.target.pointer();
    e.load_as(
        pointer,
        all,
        i64::from(op.codes) * i64::from(pointer.bytes()),
    )
}

/// Emits the case of observed and missing cells.
pub(super) fn hard(e: &mut FunctionEmitter, frame: Value, op: &TableGather, pass: KernelPass) {
    let (table, rows) = match pass {
        KernelPass::Forward | KernelPass::Max => (FrameBuffer::Weights, FrameBuffer::Values),
        KernelPass::Backward => (FrameBuffer::Counts, FrameBuffer::Derivatives),
    };
    let table = tables(e, frame, op, table);
    let rows = leaves(e, frame, op, rows);
    let codes = e.buffer(frame, FrameBuffer::Codes);
    let lanes = e.target.precision.lanes() as i64;
    let codes = e.at(codes, i64::from(op.codes) * lanes * 4);
    // Offsets of a few samples are computed once and used for the tables of all leaves.
    e.repeat((lanes / SAMPLES) as u64, &[codes, rows], |e, carried| {
        let entries = entries(e, carried[0]);
        each_leaf(e, op, (table, carried[1]), &entries, pass);
        let bytes = e.target.precision.bytes() as i64;
        let codes = e.at(carried[0], SAMPLES * 4);
        vec![codes, e.at(carried[1], SAMPLES * bytes)]
    });
}

/// Offsets of the samples' entries in a table.
fn entries(e: &mut FunctionEmitter, codes: Value) -> Vec<Value> {
    let flags = MemFlagsData::new().with_notrap();
    let shift = e.target.precision.bytes().trailing_zeros();
    let mut entries = Vec::with_capacity(SAMPLES as usize);
    for sample in 0..SAMPLES as i32 {
        let code = e.builder.ins().uload32(flags, codes, sample * 4);
        let shift = e.builder.ins().iconst(e.target.pointer(), i64::from(shift));
        entries.push(e.builder.ins().ishl(code, shift));
    }
    entries
}

fn each_leaf(
    e: &mut FunctionEmitter,
    op: &TableGather,
    (table, rows): (Value, Value),
    entries: &[Value],
    pass: KernelPass,
) {
    let bytes = e.target.precision.bytes() as i64;
    let number = e.target.scalar();
    let stride = (i64::from(op.n_values) + 1) * bytes;
    e.repeat(u64::from(op.n), &[table, rows], |e, carried| {
        for (sample, &entry) in entries.iter().enumerate() {
            let place = sample as i64 * bytes;
            let entry = e.builder.ins().iadd(carried[0], entry);
            let old = e.load_as(number, entry, 0);
            if pass == KernelPass::Backward {
                let d = e.load_as(number, carried[1], place);
                let new = e.add(old, d);
                e.store(new, entry, 0);
            } else {
                e.store(old, carried[1], place);
            }
        }
        vec![e.at(carried[0], stride), e.at(carried[1], ROW)]
    });
}
