//! Moving numbers between the lanes of vectors.
//!
//! Only shuffles that every x64 CPU has as one instruction are used.

use super::emitter::FunctionEmitter;
use crate::kernel::Precision;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

impl FunctionEmitter<'_> {
    /// The sum of the lanes.
    pub(super) fn sum_lanes(&mut self, x: Value) -> Value {
        let swapped = self.shuffle(x, x, [2, 3, 0, 1]);
        let mut sum = self.add(x, swapped);
        if self.target.precision == Precision::F32 {
            let swapped = self.shuffle(sum, sum, [1, 0, 3, 2]);
            sum = self.add(sum, swapped);
        }
        self.builder.ins().extractlane(sum, 0)
    }

    /// Sums of the lanes of as many vectors as a vector has lanes.
    pub(super) fn sum_each(&mut self, vectors: &[Value]) -> Value {
        match *vectors {
            [a, b] => self.sum_halves(a, b),
            [a, b, c, d] => {
                let (ab, cd) = (self.sum_pairs(a, b), self.sum_pairs(c, d));
                self.sum_halves(ab, cd)
            }
            _ => unreachable!("vectors have two or four lanes"),
        }
    }

    /// `[a0 + a2, b0 + b2, a1 + a3, b1 + b3]`
    fn sum_pairs(&mut self, a: Value, b: Value) -> Value {
        let low = self.shuffle(a, b, [0, 4, 1, 5]);
        let high = self.shuffle(a, b, [2, 6, 3, 7]);
        self.add(low, high)
    }

    /// The low half of each plus its high half.
    fn sum_halves(&mut self, a: Value, b: Value) -> Value {
        let low = self.shuffle(a, b, [0, 1, 4, 5]);
        let high = self.shuffle(a, b, [2, 3, 6, 7]);
        self.add(low, high)
    }

    /// The low 32 bits of four 64-bit lanes.
    pub(super) fn narrow(&mut self, low: Value, high: Value) -> Value {
        let narrow = self.shuffle(low, high, [0, 2, 4, 6]);
        self.bitcast(types::I32X4, narrow)
    }

    /// Picks four of the eight 32-bit words of two vectors.
    fn shuffle(&mut self, a: Value, b: Value, words: [u8; 4]) -> Value {
        let kind: Type = self.builder.func.dfg.value_type(a);
        let bytes = words
            .iter()
            .flat_map(|word| (0..4).map(move |i| 4 * word + i));
        let mask: Vec<u8> = bytes.collect();
        let mask = self.builder.func.dfg.immediates.push(mask.into());
        let (a, b) = (self.bitcast(types::I8X16, a), self.bitcast(types::I8X16, b));
        let picked = self.builder.ins().shuffle(a, b, mask);
        self.bitcast(kind, picked)
    }
}
