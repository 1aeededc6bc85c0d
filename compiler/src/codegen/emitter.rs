//! Instructions as operations need them: a thin layer over `FunctionBuilder`.
//!
//! Instructions are emitted in the order in which they shall run. A load that is
//! used once by the very next instruction becomes that instruction's operand;
//! another load between the two prevents it.

use super::isa::CodegenTarget;
use crate::kernel::Frame;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    Block, BlockArg, Endianness, InstBuilder, MemFlagsData, Type, Value, types,
};
use cranelift_frontend::FunctionBuilder;
use std::mem::offset_of;

/// Bytes of a vector.
pub(super) const VECTOR: i64 = 16;

/// Vectors that loops over a row take at a time.
pub(super) const WIDTH: usize = 4;

/// Bytes that loops over a row take at a time.
pub(super) const CHUNK: i64 = WIDTH as i64 * VECTOR;

/// Writes one function.
pub(super) struct FunctionEmitter<'a> {
    pub(super) builder: FunctionBuilder<'a>,
    pub(super) target: &'a CodegenTarget,
}

/// A buffer of the frame.
#[derive(Clone, Copy)]
pub(super) enum FrameBuffer {
    Values,
    Derivatives,
    Weights,
    Counts,
    Exponents,
    Factors,
    Codes,
    Soft,
    Lost,
}

impl FrameBuffer {
    fn offset(self) -> i32 {
        let offset = match self {
            FrameBuffer::Values => offset_of!(Frame, values),
            FrameBuffer::Derivatives => offset_of!(Frame, derivatives),
            FrameBuffer::Weights => offset_of!(Frame, weights),
            FrameBuffer::Counts => offset_of!(Frame, counts),
            FrameBuffer::Exponents => offset_of!(Frame, exponents),
            FrameBuffer::Factors => offset_of!(Frame, factors),
            FrameBuffer::Codes => offset_of!(Frame, codes),
            FrameBuffer::Soft => offset_of!(Frame, soft),
            FrameBuffer::Lost => offset_of!(Frame, lost),
        };
        offset as i32
    }
}

/// Rows and weights are read as they lie: nothing promises their alignment.
fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl FunctionEmitter<'_> {
    /// The address of a buffer.
    pub(super) fn buffer(&mut self, frame: Value, buffer: FrameBuffer) -> Value {
        let pointer = self.target.pointer();
        let builder = &mut self.builder;
        builder.ins().load(pointer, flags(), frame, buffer.offset())
    }

    /// `base + bytes`
    pub(super) fn at(&mut self, base: Value, bytes: i64) -> Value {
        if bytes == 0 {
            return base;
        }
        let bytes = self.builder.ins().iconst(self.target.pointer(), bytes);
        self.builder.ins().iadd(base, bytes)
    }

    /// Splits off what an instruction cannot hold as its displacement.
    fn reach(&mut self, base: Value, offset: i64) -> (Value, i32) {
        match i32::try_from(offset) {
            Ok(offset) => (base, offset),
            Err(_) => (self.at(base, offset), 0),
        }
    }

    /// Loads a value of the given type.
    pub(super) fn load_as(&mut self, kind: Type, base: Value, offset: i64) -> Value {
        let (base, offset) = self.reach(base, offset);
        self.builder.ins().load(kind, flags(), base, offset)
    }

    /// Loads a vector of numbers.
    pub(super) fn load(&mut self, base: Value, offset: i64) -> Value {
        self.load_as(self.target.vector(), base, offset)
    }

    /// Stores a value.
    pub(super) fn store(&mut self, value: Value, base: Value, offset: i64) {
        let (base, offset) = self.reach(base, offset);
        self.builder.ins().store(flags(), value, base, offset);
    }

    /// Loads one number into all lanes.
    pub(super) fn broadcast(&mut self, base: Value, offset: i64) -> Value {
        let number = self.load_as(self.target.scalar(), base, offset);
        self.builder.ins().splat(self.target.vector(), number)
    }

    /// A vector of zeros.
    pub(super) fn zero(&mut self) -> Value {
        self.zero_as(self.target.vector())
    }

    /// A vector of zeros of the given type.
    pub(super) fn zero_as(&mut self, kind: Type) -> Value {
        let pool = &mut self.builder.func.dfg.constants;
        let zero = pool.insert(vec![0; VECTOR as usize].into());
        self.builder.ins().vconst(kind, zero)
    }

    /// All lanes the same 32-bit integer.
    pub(super) fn splat_i32(&mut self, value: i32) -> Value {
        let pool = &mut self.builder.func.dfg.constants;
        let constant = pool.insert(value.to_le_bytes().repeat(4).into());
        self.builder.ins().vconst(types::I32X4, constant)
    }

    /// `x * y`
    pub(super) fn mul(&mut self, x: Value, y: Value) -> Value {
        self.builder.ins().fmul(x, y)
    }

    /// `x + y`
    pub(super) fn add(&mut self, x: Value, y: Value) -> Value {
        self.builder.ins().fadd(x, y)
    }

    /// `x * y + z`. The instruction overwrites `x`: that should be the operand
    /// nobody needs afterwards.
    pub(super) fn fma(&mut self, x: Value, y: Value, z: Value) -> Value {
        if self.target.has_fma {
            return self.builder.ins().fma(x, y, z);
        }
        let product = self.mul(x, y);
        self.add(product, z)
    }

    /// The larger of two numbers that are neither negative nor NaN, in the form
    /// that the x64 back end knows as one instruction.
    pub(super) fn max(&mut self, x: Value, y: Value) -> Value {
        let kind = self.builder.func.dfg.value_type(x);
        let less = self.builder.ins().fcmp(FloatCC::LessThan, y, x);
        let mask = self.bitcast(kind, less);
        self.builder.ins().bitselect(mask, x, y)
    }

    /// The same bits as another type.
    pub(super) fn bitcast(&mut self, kind: Type, value: Value) -> Value {
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.builder.ins().bitcast(kind, flags, value)
    }

    /// Runs `body` a fixed number of times. It gets the carried values and
    /// returns what they become; the result is what they are at the end.
    pub(super) fn repeat(
        &mut self,
        n: u64,
        carried: &[Value],
        body: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        match n {
            0 => carried.to_vec(),
            1 => body(self, carried),
            _ => self.counted_loop(n, carried, body),
        }
    }

    fn counted_loop(
        &mut self,
        n: u64,
        carried: &[Value],
        body: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let head = self.builder.create_block();
        let after = self.builder.create_block();
        let count = self.builder.ins().iconst(types::I64, n as i64);
        let first = [&[count], carried].concat();
        self.block_params(head, &first);
        self.block_params(after, carried);
        self.builder.ins().jump(head, &arguments(&first));
        self.builder.switch_to_block(head);
        let params = self.builder.block_params(head).to_vec();
        let next = body(self, &params[1..]);
        let one = self.builder.ins().iconst(types::I64, 1);
        let rest = self.builder.ins().isub(params[0], one);
        let again = [&[rest], &next[..]].concat();
        self.builder
            .ins()
            .brif(rest, head, &arguments(&again), after, &arguments(&next));
        self.builder.switch_to_block(after);
        self.builder.block_params(after).to_vec()
    }

    /// Runs one of two bodies, depending on whether an address is null.
    pub(super) fn if_null(
        &mut self,
        address: Value,
        null: impl FnOnce(&mut Self),
        other: impl FnOnce(&mut Self),
    ) {
        let blocks = [(); 3].map(|()| self.builder.create_block());
        let zero = self.builder.ins().iconst(self.target.pointer(), 0);
        let is_null = self.builder.ins().icmp(IntCC::Equal, address, zero);
        let (none, some) = ([].iter(), [].iter());
        self.builder
            .ins()
            .brif(is_null, blocks[0], none, blocks[1], some);
        self.builder.switch_to_block(blocks[0]);
        null(self);
        self.builder.ins().jump(blocks[2], &[]);
        self.builder.switch_to_block(blocks[1]);
        other(self);
        self.builder.ins().jump(blocks[2], &[]);
        self.builder.switch_to_block(blocks[2]);
    }

    fn block_params(&mut self, block: Block, like: &[Value]) {
        for &value in like {
            let kind = self.builder.func.dfg.value_type(value);
            self.builder.append_block_param(block, kind);
        }
    }
}

fn arguments(values: &[Value]) -> Vec<BlockArg> {
    values.iter().map(|&value| BlockArg::Value(value)).collect()
}
