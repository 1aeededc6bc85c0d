//! Vectors of two doubles, and of four numbers in single precision.

use super::writer::Writer;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

impl Writer<'_> {
    /// Two doubles alike.
    pub(super) fn doubles(&mut self, value: f64) -> Value {
        self.constant(types::F64X2, &value.to_le_bytes().repeat(2))
    }

    /// Four numbers alike in single precision.
    pub(super) fn singles(&mut self, value: f32) -> Value {
        self.constant(types::F32X4, &value.to_le_bytes().repeat(4))
    }

    fn constant(&mut self, kind: Type, bytes: &[u8]) -> Value {
        let pool = &mut self.b.func.dfg.constants;
        let constant = pool.insert(bytes.to_vec().into());
        self.b.ins().vconst(kind, constant)
    }

    /// A double that is loaded into both lanes.
    pub(super) fn both(&mut self, base: Value, offset: i32) -> Value {
        let number = self.load(types::F64, base, offset);
        self.b.ins().splat(types::F64X2, number)
    }

    /// Numbers of `yes` where two vectors compare so, of `no` elsewhere.
    pub(super) fn choose(
        &mut self,
        (how, x, y): (FloatCC, Value, Value),
        yes: Value,
        no: Value,
    ) -> Value {
        let mask = self.compare(how, x, y);
        self.choose_by(mask, yes, no)
    }

    /// Numbers of `yes` where a mask is all ones, of `no` where it is zero.
    pub(super) fn choose_by(&mut self, mask: Value, yes: Value, no: Value) -> Value {
        let kind = self.b.func.dfg.value_type(yes);
        let mask = self.bits(kind, mask);
        self.b.ins().bitselect(mask, yes, no)
    }

    /// The low 32 bits of four 64-bit lanes.
    pub(super) fn narrow(&mut self, low: Value, high: Value) -> Value {
        self.words(low, high, [0, 2, 4, 6])
    }

    /// Doubles rounded to single precision.
    pub(super) fn demoted(&mut self, low: Value, high: Value) -> Value {
        let (low, high) = (self.b.ins().fvdemote(low), self.b.ins().fvdemote(high));
        let four = self.words(low, high, [0, 1, 4, 5]);
        self.bits(types::F32X4, four)
    }

    /// Picks four of the eight 32-bit words of two vectors.
    fn words(&mut self, a: Value, b: Value, words: [u8; 4]) -> Value {
        let bytes = words.iter();
        let bytes = bytes.flat_map(|word| (0..4).map(move |byte| 4 * word + byte));
        let mask: Vec<u8> = bytes.collect();
        let mask = self.b.func.dfg.immediates.push(mask.into());
        let (a, b) = (self.bits(types::I8X16, a), self.bits(types::I8X16, b));
        let picked = self.b.ins().shuffle(a, b, mask);
        self.bits(types::I32X4, picked)
    }
}
