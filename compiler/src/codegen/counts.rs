//! Counts of dense layers: scalar products of rows.

use super::emitter::{FunctionEmitter, VECTOR, WIDTH};
use crate::kernel::ROW_BYTES;
use cranelift_codegen::ir::Value;

const ROW: i64 = ROW_BYTES as i64;

/// Inputs of a tile; with two outputs that makes eight sums.
const TILE: u32 = 4;

/// `count[i][j] += sum over samples of d[i] * input[j]`
#[derive(Clone, Copy, Debug)]
pub(super) struct CountUpdate {
    pub(super) n_out: u32,
    pub(super) n_in: u32,
    /// Bytes between the counts of one output and the next.
    pub(super) out_step: i64,
}

/// Where scalar products read and write.
#[derive(Clone, Copy)]
pub(super) struct CountOperands {
    pub(super) derivatives: Value,
    pub(super) input: Value,
    pub(super) counts: Value,
}

impl CountUpdate {
    /// Emits all scalar products.
    pub(super) fn emit(&self, e: &mut FunctionEmitter, at: CountOperands) {
        let pairs = u64::from(self.n_out / 2);
        let rest = e.repeat(pairs, &[at.derivatives, at.counts], |e, carried| {
            let (derivatives, counts) = (carried[0], carried[1]);
            self.outputs(
                e,
                2,
                CountOperands {
                    derivatives,
                    counts,
                    ..at
                },
            );
            vec![e.at(derivatives, 2 * ROW), e.at(counts, 2 * self.out_step)]
        });
        if self.n_out % 2 == 1 {
            let (derivatives, counts) = (rest[0], rest[1]);
            self.outputs(
                e,
                1,
                CountOperands {
                    derivatives,
                    counts,
                    ..at
                },
            );
        }
    }

    fn outputs(&self, e: &mut FunctionEmitter, n_out: u32, at: CountOperands) {
        let tiles = u64::from(self.n_in / TILE);
        let bytes = i64::from(TILE) * e.target.precision.bytes() as i64;
        let rest = e.repeat(tiles, &[at.input, at.counts], |e, carried| {
            let (input, counts) = (carried[0], carried[1]);
            self.tile(
                e,
                (n_out, TILE),
                CountOperands {
                    input,
                    counts,
                    ..at
                },
            );
            let input = e.at(input, i64::from(TILE) * ROW);
            vec![input, e.at(counts, bytes)]
        });
        let (input, counts) = (rest[0], rest[1]);
        self.tile(
            e,
            (n_out, self.n_in % TILE),
            CountOperands {
                input,
                counts,
                ..at
            },
        );
    }

    fn tile(&self, e: &mut FunctionEmitter, shape: (u32, u32), at: CountOperands) {
        if shape.1 == 0 {
            return;
        }
        // Sums of all lanes first; the lanes themselves are added up once for each tile.
        let sums = scalar_products(e, shape, at);
        for (i, sums) in sums.chunks(shape.1 as usize).enumerate() {
            let counts = e.at(at.counts, i as i64 * self.out_step);
            add_counts(e, sums, counts);
        }
    }
}

/// Scalar products lane by lane: the lanes are still to be added up.
fn scalar_products(
    e: &mut FunctionEmitter,
    (n_out, n_in): (u32, u32),
    at: CountOperands,
) -> Vec<Value> {
    // One accumulator for each pair of an output and an input; both are loaded once a step.
    let zeros: Vec<_> = (0..n_out * n_in).map(|_| e.zero()).collect();
    let carried = [&[at.derivatives, at.input], &zeros[..]].concat();
    let step = VECTOR * WIDTH as i64;
    let result = e.repeat((ROW / step) as u64, &carried, |e, carried| {
        let mut sums = carried[2..].to_vec();
        for vector in 0..WIDTH as i64 {
            let d = rows(e, carried[0], n_out, vector);
            let x = rows(e, carried[1], n_in, vector);
            for (sums, &d) in sums.chunks_mut(n_in as usize).zip(&d) {
                for (sum, &x) in sums.iter_mut().zip(&x) {
                    *sum = e.fma(x, d, *sum);
                }
            }
        }
        [&[e.at(carried[0], step), e.at(carried[1], step)], &sums[..]].concat()
    });
    result[2..].to_vec()
}

fn rows(e: &mut FunctionEmitter, base: Value, n: u32, vector: i64) -> Vec<Value> {
    let places = (0..i64::from(n)).map(|row| row * ROW + vector * VECTOR);
    places.map(|place| e.load(base, place)).collect()
}

/// Adds the lanes of each vector to one of consecutive counts.
pub(super) fn add_counts(e: &mut FunctionEmitter, sums: &[Value], counts: Value) {
    let bytes = e.target.precision.bytes() as i64;
    let lanes = (VECTOR / bytes) as usize;
    for (k, sums) in sums.chunks(lanes).enumerate() {
        let offset = k as i64 * VECTOR;
        // A whole vector of counts is added to at once, what is left count by count.
        if sums.len() == lanes {
            let sum = e.sum_each(sums);
            let old = e.load(counts, offset);
            let new = e.add(old, sum);
            e.store(new, counts, offset);
            continue;
        }
        for (k, &sum) in sums.iter().enumerate() {
            add_count(e, sum, counts, offset + k as i64 * bytes);
        }
    }
}

fn add_count(e: &mut FunctionEmitter, lanes: Value, counts: Value, offset: i64) {
    let sum = e.sum_lanes(lanes);
    let old = e.load_as(e.target.scalar(), counts, offset);
    let new = e.add(old, sum);
    e.store(new, counts, offset);
}
