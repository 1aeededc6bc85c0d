//! Runs of products: one loop over consecutive rows.

use super::emitter::{CHUNK, FrameBuffer, FunctionEmitter, VECTOR, WIDTH};
use crate::kernel::{KernelPass, ROW_BYTES};
use crate::plan::{DerivativeWrite, PlanRow, ProductRun};
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value};

const ROW: i64 = ROW_BYTES as i64;

/// With more factors than this, what the backward pass keeps of each goes
/// through memory and a step of the loop takes a single vector.
const IN_REGISTERS: usize = 8;

/// Emits a run of products.
pub(super) fn emit(e: &mut FunctionEmitter, frame: Value, product: &ProductRun, pass: KernelPass) {
    match pass {
        KernelPass::Forward | KernelPass::Max => forward(e, frame, product),
        KernelPass::Backward => backward(e, frame, product),
    }
}

fn forward(e: &mut FunctionEmitter, frame: Value, product: &ProductRun) {
    let values = e.buffer(frame, FrameBuffer::Values);
    let n_chunks = u64::from(product.n) * (ROW / CHUNK) as u64;
    e.repeat(n_chunks, &[values], |e, carried| {
        let values = carried[0];
        for k in 0..WIDTH {
            let mut factors = product.factors.iter();
            let first = factors.next().map(|&(row, _)| row);
            let mut value = e.load(values, place(first.unwrap_or(crate::plan::ONE), k));
            for &(row, _) in factors {
                let factor = e.load(values, place(row, k));
                value = e.mul(value, factor);
            }
            e.store(value, values, place(product.out, k));
        }
        vec![e.at(values, CHUNK)]
    });
}

fn backward(e: &mut FunctionEmitter, frame: Value, product: &ProductRun) {
    if product
        .factors
        .iter()
        .all(|&(_, flow)| flow == DerivativeWrite::Skip)
    {
        return;
    }
    let values = e.buffer(frame, FrameBuffer::Values);
    let derivatives = e.buffer(frame, FrameBuffer::Derivatives);
    let mut kept = PrefixProducts::new(e, product.factors.len());
    let width = if kept.in_memory() { 1 } else { WIDTH };
    let step = width as i64 * VECTOR;
    let n_steps = u64::from(product.n) * (ROW / step) as u64;
    e.repeat(n_steps, &[values, derivatives], |e, carried| {
        for k in 0..width {
            derive(e, product, (carried[0], carried[1]), k, &mut kept);
        }
        vec![e.at(carried[0], step), e.at(carried[1], step)]
    });
}

/// One vector of the derivatives of all factors. What stands before a factor is
/// multiplied on the way up, what stands behind it on the way down.
fn derive(
    e: &mut FunctionEmitter,
    product: &ProductRun,
    (values, derivatives): (Value, Value),
    k: usize,
    kept: &mut PrefixProducts,
) {
    // Up: what stands before each factor, kept until the way down.
    let mut before = None;
    let all_but_last = product.factors.len().saturating_sub(1);
    for (i, &(row, _)) in product.factors[..all_but_last].iter().enumerate() {
        let factor = e.load(values, place(row, k));
        let value = match before {
            None => factor,
            Some(before) => e.mul(before, factor),
        };
        kept.put(e, i + 1, value);
        before = Some(value);
    }
    // Down: the derivative times what stands behind. Together they are all other factors,
    // without a division, which a factor of zero would not survive.
    let mut behind = e.load(derivatives, place(product.out, k));
    for (i, &(row, flow)) in product.factors.iter().enumerate().rev() {
        let others = (i > 0).then(|| kept.get(e, i));
        add_flow(e, (derivatives, place(row, k)), flow, behind, others);
        if i > 0 {
            let factor = e.load(values, place(row, k));
            behind = e.mul(behind, factor);
        }
    }
}

/// Puts `d * others` into a derivative.
fn add_flow(
    e: &mut FunctionEmitter,
    (derivatives, at): (Value, i64),
    flow: DerivativeWrite,
    d: Value,
    others: Option<Value>,
) {
    let new = match (flow, others) {
        (DerivativeWrite::Skip, _) => return,
        (DerivativeWrite::Set, None) => d,
        (DerivativeWrite::Set, Some(others)) => e.mul(others, d),
        (DerivativeWrite::Add, None) => {
            let old = e.load(derivatives, at);
            e.add(d, old)
        }
        (DerivativeWrite::Add, Some(others)) => {
            let old = e.load(derivatives, at);
            e.fma(others, d, old)
        }
    };
    e.store(new, derivatives, at);
}

fn place(row: PlanRow, vector: usize) -> i64 {
    i64::from(row.0) * ROW + vector as i64 * VECTOR
}

/// For each factor the product of those before it.
enum PrefixProducts {
    Registers(Vec<Option<Value>>),
    Memory(Value),
}

impl PrefixProducts {
    fn new(e: &mut FunctionEmitter, n: usize) -> Self {
        if n <= IN_REGISTERS {
            return PrefixProducts::Registers(vec![None; n]);
        }
        let bytes = n as u32 * VECTOR as u32;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4);
        let slot = e.builder.create_sized_stack_slot(slot);
        let pointer = e.target.pointer();
        PrefixProducts::Memory(e.builder.ins().stack_addr(pointer, slot, 0))
    }

    fn in_memory(&self) -> bool {
        matches!(self, PrefixProducts::Memory(_))
    }

    fn put(&mut self, e: &mut FunctionEmitter, i: usize, value: Value) {
        match self {
            PrefixProducts::Registers(kept) => kept[i] = Some(value),
            PrefixProducts::Memory(slot) => e.store(value, *slot, i as i64 * VECTOR),
        }
    }

    fn get(&self, e: &mut FunctionEmitter, i: usize) -> Value {
        match self {
            PrefixProducts::Registers(kept) => kept[i].expect("put before it is taken"),
            PrefixProducts::Memory(slot) => e.load(*slot, i as i64 * VECTOR),
        }
    }
}
