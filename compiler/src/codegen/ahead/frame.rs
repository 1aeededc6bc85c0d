//! The frame of buffers that kernels take, in a call's own memory.

use super::layout::{Layout, Rows};
use super::writer::Writer;
use crate::kernel::{Frame, Precision, ROW_BYTES};
use cranelift_codegen::ir::{InstBuilder, Value};
use std::mem::offset_of;

/// Points to the buffers of one plan, and fills the row of ones. Weights and what only
/// some passes use are null.
pub(super) fn fill(w: &mut Writer, frame: Value, work: Value, (layout, rows): (&Layout, &Rows)) {
    let null = w.int(0);
    for offset in (0..size_of::<Frame>() as i32).step_by(8) {
        w.store(null, frame, offset);
    }
    for (offset, place) in [
        (offset_of!(Frame, values), rows.values),
        (offset_of!(Frame, exponents), rows.exponents),
        (offset_of!(Frame, factors), rows.factors),
        (offset_of!(Frame, codes), layout.codes),
        (offset_of!(Frame, soft), layout.soft),
        (offset_of!(Frame, reals), layout.reals),
        (offset_of!(Frame, statistics), layout.leaf_logs),
        (offset_of!(Frame, lost), layout.lost),
    ] {
        let buffer = w.plus(work, place);
        w.store(buffer, frame, offset as i32);
    }
    let precision = w.target.precision;
    let ones = w.plus(work, rows.values);
    let one = match precision {
        Precision::F32 => w.b.ins().f32const(1.0),
        Precision::F64 => w.double(1.0),
    };
    for offset in (0..ROW_BYTES as i32).step_by(precision.bytes()) {
        w.store(one, ones, offset);
    }
}
