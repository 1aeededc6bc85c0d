//! Matrix products over rows: the inner loops of dense layers.
//!
//! Tiles of two outputs by four vectors keep eight sums in registers, which is
//! what hides the latency of a multiply-add; the four vectors of an input are
//! loaded once for both outputs. Loops run over chunks of the row, then pairs of
//! outputs, then inputs, so that the inputs of a chunk stay in the first-level
//! cache however many outputs there are.

use super::emitter::{CHUNK, FunctionEmitter, VECTOR, WIDTH};
use crate::kernel::ROW_BYTES;
use cranelift_codegen::ir::Value;

const ROW: i64 = ROW_BYTES as i64;

/// Inputs that the innermost loop takes at a time.
const UNROLL: u64 = 4;

/// `out[i] = combination over j of w[i][j] * input[j]`, rows in, rows out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MatrixProduct {
    pub(super) n_out: u32,
    pub(super) n_in: u32,
    /// Bytes between the weights of one output and the next.
    pub(super) out_step: i64,
    /// Bytes between the weights of one input and the next.
    pub(super) in_step: i64,
    pub(super) combine: TermCombination,
}

/// How terms are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TermCombination {
    /// Added up; the output is overwritten.
    Sum,
    /// Added to what the output holds.
    Add,
    /// The largest.
    Max,
}

/// Where a product reads and writes.
#[derive(Clone, Copy)]
pub(super) struct MatrixOperands {
    pub(super) out: Value,
    pub(super) input: Value,
    pub(super) weights: Value,
}

impl MatrixProduct {
    /// Emits the whole product.
    pub(super) fn emit(&self, e: &mut FunctionEmitter, at: MatrixOperands) {
        let n_chunks = (ROW / CHUNK) as u64;
        e.repeat(n_chunks, &[at.out, at.input], |e, carried| {
            let (out, input) = (carried[0], carried[1]);
            self.chunk(e, MatrixOperands { out, input, ..at });
            vec![e.at(out, CHUNK), e.at(input, CHUNK)]
        });
    }

    fn chunk(&self, e: &mut FunctionEmitter, at: MatrixOperands) {
        // Two outputs share each load of an input; an odd one is done alone at the end.
        let pairs = u64::from(self.n_out / 2);
        let rest = e.repeat(pairs, &[at.out, at.weights], |e, carried| {
            let (out, weights) = (carried[0], carried[1]);
            self.tile(e, 2, MatrixOperands { out, weights, ..at });
            vec![e.at(out, 2 * ROW), e.at(weights, 2 * self.out_step)]
        });
        if self.n_out % 2 == 1 {
            let (out, weights) = (rest[0], rest[1]);
            self.tile(e, 1, MatrixOperands { out, weights, ..at });
        }
    }

    /// One chunk of one or two outputs.
    fn tile(&self, e: &mut FunctionEmitter, n_out: usize, at: MatrixOperands) {
        let mut sums = Vec::with_capacity(n_out * WIDTH);
        // The sums stay in registers over all inputs.
        for place in tile_places(n_out) {
            sums.push(match self.combine {
                TermCombination::Add => e.load(at.out, place),
                TermCombination::Sum | TermCombination::Max => e.zero(),
            });
        }
        let sums = self.inputs(e, at, sums);
        for (place, sum) in tile_places(n_out).zip(sums) {
            e.store(sum, at.out, place);
        }
    }

    fn inputs(&self, e: &mut FunctionEmitter, at: MatrixOperands, sums: Vec<Value>) -> Vec<Value> {
        let n_in = u64::from(self.n_in);
        // Few inputs are written out, many are taken in unrolled steps with the rest behind.
        let step = if n_in <= 2 * UNROLL { n_in } else { UNROLL };
        let carried = [&[at.input, at.weights], &sums[..]].concat();
        let n_steps = n_in.checked_div(step).unwrap_or(0);
        let rest = e.repeat(n_steps, &carried, |e, carried| {
            let mut sums = carried[2..].to_vec();
            self.terms(e, step, (carried[0], carried[1]), &mut sums);
            let step = step as i64;
            let input = e.at(carried[0], step * ROW);
            let weights = e.at(carried[1], step * self.in_step);
            [&[input, weights], &sums[..]].concat()
        });
        let mut sums = rest[2..].to_vec();
        let left = n_in.checked_rem(step).unwrap_or(0);
        self.terms(e, left, (rest[0], rest[1]), &mut sums);
        sums
    }

    fn terms(
        &self,
        e: &mut FunctionEmitter,
        n: u64,
        (input, weights): (Value, Value),
        sums: &mut [Value],
    ) {
        for j in 0..n as i64 {
            let x: Vec<_> = vectors()
                .map(|place| e.load(input, j * ROW + place))
                .collect();
            for (i, sums) in sums.chunks_mut(WIDTH).enumerate() {
                let weight = e.broadcast(weights, i as i64 * self.out_step + j * self.in_step);
                for (sum, &x) in sums.iter_mut().zip(&x) {
                    *sum = self.combined(e, x, weight, *sum);
                }
            }
        }
    }

    fn combined(&self, e: &mut FunctionEmitter, x: Value, weight: Value, sum: Value) -> Value {
        if self.combine != TermCombination::Max {
            return e.fma(x, weight, sum);
        }
        let term = e.mul(x, weight);
        e.max(term, sum)
    }
}

/// Offsets of the vectors of a chunk.
fn vectors() -> impl Iterator<Item = i64> {
    (0..WIDTH as i64).map(|vector| vector * VECTOR)
}

/// Offsets of the vectors of a tile, output by output.
fn tile_places(n_out: usize) -> impl Iterator<Item = i64> {
    (0..n_out as i64).flat_map(|i| vectors().map(move |place| i * ROW + place))
}
