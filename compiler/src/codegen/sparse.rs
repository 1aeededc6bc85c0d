//! Segments of single sums: straight-line code inside one loop over the row.
//!
//! Code that grows with the segment is the price of sums without a common shape.
//! Large functions compile slower than linearly and their loops miss the
//! instruction cache, so segments are cut into pieces. Rows that a segment makes
//! are stored for those who come later; the next sum takes them from registers.

use super::counts::add_counts;
use super::emitter::{FrameBuffer, FunctionEmitter, VECTOR};
use crate::kernel::{KernelPass, ROW_BYTES};
use crate::plan::{PlanRow, SparseSegment, SparseSum, WeightSlot};
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

const ROW: i64 = ROW_BYTES as i64;

/// Vectors of a row that a step of the loop takes. More would spread the load of
/// a weight over more of them, but the code of large segments comes from memory,
/// and every instruction has to be compiled.
const WIDTH: usize = 2;

/// Bytes that a step of the loop takes.
const CHUNK: i64 = WIDTH as i64 * VECTOR;

/// Bytes of code of a piece, roughly: half of a first-level instruction cache.
const PIECE_BYTES: usize = 16 << 10;

/// Terms of a sum that are taken together; of longer sums the rest is added to
/// what is in the row by then.
const PART_TERMS: usize = 64;

/// Rows kept in registers: with more, the allocator would store what is stored
/// in its row already.
const KEPT_ROWS: usize = 1;

/// Sums, or parts of long ones, that make one function.
#[derive(Clone, Debug, Default)]
pub(super) struct SparsePiece<'a> {
    sums: Vec<PartialSum<'a>>,
    n_terms: usize,
}

/// Some terms of a sum.
#[derive(Clone, Copy, Debug)]
struct PartialSum<'a> {
    sum: SparseSum<'a>,
    /// Whether earlier terms are in the sum's row already.
    continues: bool,
}

/// Cuts a segment into pieces of bounded size, in the order of a forward pass.
pub(super) fn pieces(segment: &SparseSegment, pass: KernelPass) -> Vec<SparsePiece<'_>> {
    let mut pieces: Vec<SparsePiece> = Vec::new();
    let mut bytes = PIECE_BYTES;
    // A piece ends before its code outgrows the cache; the first part always begins one.
    for part in segment.sums().flat_map(parts) {
        bytes += part.n_bytes(pass);
        if bytes > PIECE_BYTES {
            bytes = part.n_bytes(pass);
            pieces.push(SparsePiece::default());
        }
        let last = pieces.last_mut().expect("the first part begins a piece");
        last.n_terms += part.n_terms();
        last.sums.push(part);
    }
    pieces
}

fn parts(sum: SparseSum<'_>) -> impl Iterator<Item = PartialSum<'_>> {
    let words = PART_TERMS * sum.arity as usize;
    let n_parts = sum.factors.len().div_ceil(words).max(1);
    (0..n_parts).map(move |k| PartialSum {
        sum: SparseSum {
            weights: WeightSlot(sum.weights.0 + (k * PART_TERMS) as u32),
            factors: &sum.factors[k * words..sum.factors.len().min((k + 1) * words)],
            ..sum
        },
        continues: k > 0,
    })
}

impl<'a> PartialSum<'a> {
    fn n_terms(&self) -> usize {
        self.sum.factors.len() / self.sum.arity as usize
    }

    /// Bytes of code, as seen on x64 with fused multiply-add.
    fn n_bytes(&self, pass: KernelPass) -> usize {
        let (n_terms, arity) = (self.n_terms(), self.sum.arity as usize);
        match pass {
            KernelPass::Forward | KernelPass::Max => 16 + n_terms * (25 + 15 * arity),
            KernelPass::Backward => 16 + n_terms * (30 + 70 * arity),
        }
    }

    /// Slots and factors of the terms.
    fn terms(&self) -> impl Iterator<Item = (u32, &'a [u32])> + use<'a> {
        let factors = self.sum.factors.chunks(self.sum.arity as usize);
        (self.sum.weights.0..).zip(factors)
    }
}

impl SparsePiece<'_> {
    /// What the piece is made of, for people.
    pub(super) fn about(&self) -> String {
        let (n_sums, n_terms) = (self.sums.len(), self.n_terms);
        format!("{n_sums} sums of {n_terms} terms")
    }

    /// Emits the piece.
    pub(super) fn emit(&self, e: &mut FunctionEmitter, frame: Value, pass: KernelPass) {
        match pass {
            KernelPass::Forward | KernelPass::Max => {
                self.forward(e, frame, pass == KernelPass::Max)
            }
            KernelPass::Backward => self.backward(e, frame),
        }
    }

    fn forward(&self, e: &mut FunctionEmitter, frame: Value, max: bool) {
        let values = e.buffer(frame, FrameBuffer::Values);
        let weights = e.buffer(frame, FrameBuffer::Weights);
        // All sums of the piece for one chunk of samples, then the next chunk: what a sum
        // makes is in registers when the next one reads it.
        e.repeat((ROW / CHUNK) as u64, &[values], |e, carried| {
            let mut rows = SegmentRows::new(carried[0]);
            for part in &self.sums {
                let sums = part.forward(e, weights, &mut rows, max);
                rows.put(e, part.sum.out, sums);
            }
            vec![e.at(carried[0], CHUNK)]
        });
    }

    /// Counts are added up lane by lane in scratch memory while the loop runs
    /// over the row; their lanes are added together once, at the end.
    fn backward(&self, e: &mut FunctionEmitter, frame: Value) {
        let values = e.buffer(frame, FrameBuffer::Values);
        let derivatives = e.buffer(frame, FrameBuffer::Derivatives);
        let weights = e.buffer(frame, FrameBuffer::Weights);
        let scratch = scratch(e, self.n_terms);
        e.repeat(
            (ROW / CHUNK) as u64,
            &[values, derivatives],
            |e, carried| {
                let mut lanes = self.n_terms as i64;
                // From the last sum to the first: all readers of a row have added to its
                // derivative before the sum that made it is taken.
                for part in self.sums.iter().rev() {
                    lanes -= part.n_terms() as i64;
                    let chunk = BackwardChunk {
                        values: carried[0],
                        derivatives: carried[1],
                        weights,
                        scratch,
                    };
                    part.backward(e, &chunk, lanes);
                }
                vec![e.at(carried[0], CHUNK), e.at(carried[1], CHUNK)]
            },
        );
        let counts = e.buffer(frame, FrameBuffer::Counts);
        self.add_counts(e, scratch, counts);
    }

    /// Runs of consecutive counts are added in a loop.
    fn add_counts(&self, e: &mut FunctionEmitter, scratch: Value, counts: Value) {
        let mut from = 0;
        // The lanes of each term are one number in the end, and go to consecutive counts.
        for (first, n) in self.count_runs() {
            let bytes = e.target.precision.bytes() as i64;
            let lanes = VECTOR / bytes;
            let source = e.at(scratch, from * VECTOR);
            let to = e.at(counts, i64::from(first) * bytes);
            let whole = (n / lanes) as u64;
            let rest = e.repeat(whole, &[source, to], |e, carried| {
                add_scratch(e, lanes, carried[0], carried[1]);
                vec![e.at(carried[0], lanes * VECTOR), e.at(carried[1], VECTOR)]
            });
            add_scratch(e, n % lanes, rest[0], rest[1]);
            from += n;
        }
    }

    /// First slots and lengths of runs of consecutive slots.
    fn count_runs(&self) -> Vec<(u32, i64)> {
        let mut runs: Vec<(u32, i64)> = Vec::new();
        for part in &self.sums {
            let (first, n) = (part.sum.weights.0, part.n_terms() as i64);
            match runs.last_mut() {
                Some((start, len)) if i64::from(*start) + *len == i64::from(first) => *len += n,
                _ => runs.push((first, n)),
            }
        }
        runs
    }
}

fn add_scratch(e: &mut FunctionEmitter, n: i64, scratch: Value, counts: Value) {
    let sums: Vec<_> = (0..n).map(|k| e.load(scratch, k * VECTOR)).collect();
    add_counts(e, &sums, counts);
}

/// A zeroed vector of lanes for each term.
fn scratch(e: &mut FunctionEmitter, n_terms: usize) -> Value {
    let bytes = n_terms as u32 * VECTOR as u32;
    let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4);
    let slot = e.builder.create_sized_stack_slot(slot);
    let pointer = e.target.pointer();
    let scratch = e.builder.ins().stack_addr(pointer, slot, 0);
    e.repeat(n_terms as u64, &[scratch], |e, carried| {
        let zero = e.zero();
        e.store(zero, carried[0], 0);
        vec![e.at(carried[0], VECTOR)]
    });
    scratch
}

impl PartialSum<'_> {
    fn forward(
        &self,
        e: &mut FunctionEmitter,
        weights: Value,
        rows: &mut SegmentRows,
        max: bool,
    ) -> ChunkVectors {
        let bytes = e.target.precision.bytes() as i64;
        let mut sums = self.continues.then(|| rows.get(e, self.sum.out));
        for (slot, factors) in self.terms() {
            let weight = e.broadcast(weights, i64::from(slot) * bytes);
            let terms: ChunkVectors = std::array::from_fn(|k| {
                let x = rows.product(e, factors, k);
                match (&sums, max) {
                    (Some(sums), false) => e.fma(x, weight, sums[k]),
                    (None, _) => e.mul(x, weight),
                    (Some(sums), true) => {
                        let term = e.mul(x, weight);
                        e.max(term, sums[k])
                    }
                }
            });
            sums = Some(terms);
        }
        sums.unwrap_or_else(|| std::array::from_fn(|_| e.zero()))
    }

    fn backward(&self, e: &mut FunctionEmitter, chunk: &BackwardChunk, first_lanes: i64) {
        let bytes = e.target.precision.bytes() as i64;
        let d: ChunkVectors =
            std::array::from_fn(|k| e.load(chunk.derivatives, place(self.sum.out, k)));
        for (term, (slot, factors)) in self.terms().enumerate() {
            // The weight times the derivative flows to each factor, times its siblings; the
            // product of all factors times the derivative is the term's count.
            let weight = e.broadcast(chunk.weights, i64::from(slot) * bytes);
            let mut lanes = None;
            for (k, &d) in d.iter().enumerate() {
                let flow = e.mul(d, weight);
                let x = chunk.derive(e, factors, k, flow);
                lanes = Some(match lanes {
                    None => e.mul(x, d),
                    Some(lanes) => e.fma(x, d, lanes),
                });
            }
            let at = (first_lanes + term as i64) * VECTOR;
            if let Some(lanes) = lanes {
                let old = e.load(chunk.scratch, at);
                let new = e.add(lanes, old);
                e.store(new, chunk.scratch, at);
            }
        }
    }
}

/// The vectors of a chunk of a row.
type ChunkVectors = [Value; WIDTH];

fn place(row: PlanRow, vector: usize) -> i64 {
    i64::from(row.0) * ROW + vector as i64 * VECTOR
}

/// The addresses of a chunk of all rows, in a backward pass.
struct BackwardChunk {
    values: Value,
    derivatives: Value,
    weights: Value,
    scratch: Value,
}

impl BackwardChunk {
    /// Adds to the derivatives of a term's factors; the result is their product.
    fn derive(&self, e: &mut FunctionEmitter, factors: &[u32], k: usize, flow: Value) -> Value {
        match *factors {
            [a, b] => {
                let x = e.load(self.values, place(PlanRow(a), k));
                let y = e.load(self.values, place(PlanRow(b), k));
                self.add(e, place(PlanRow(a), k), y, flow);
                self.add(e, place(PlanRow(b), k), x, flow);
                e.mul(x, y)
            }
            _ => {
                let at = place(PlanRow(factors[0]), k);
                let old = e.load(self.derivatives, at);
                let new = e.add(flow, old);
                e.store(new, self.derivatives, at);
                e.load(self.values, at)
            }
        }
    }

    fn add(&self, e: &mut FunctionEmitter, at: i64, other: Value, flow: Value) {
        let old = e.load(self.derivatives, at);
        let new = e.fma(other, flow, old);
        e.store(new, self.derivatives, at);
    }
}

/// Rows of values as a segment sees them: the last that it made are in registers.
struct SegmentRows {
    values: Value,
    kept: FxHashMap<PlanRow, ChunkVectors>,
    order: VecDeque<PlanRow>,
}

impl SegmentRows {
    fn new(values: Value) -> Self {
        SegmentRows {
            values,
            kept: FxHashMap::default(),
            order: VecDeque::new(),
        }
    }

    fn vector(&self, e: &mut FunctionEmitter, row: PlanRow, k: usize) -> Value {
        match self.kept.get(&row) {
            Some(chunk) => chunk[k],
            None => e.load(self.values, place(row, k)),
        }
    }

    fn get(&self, e: &mut FunctionEmitter, row: PlanRow) -> ChunkVectors {
        std::array::from_fn(|k| self.vector(e, row, k))
    }

    /// One vector of the product of one or two rows.
    fn product(&self, e: &mut FunctionEmitter, factors: &[u32], k: usize) -> Value {
        let x = self.vector(e, PlanRow(factors[0]), k);
        match factors.get(1) {
            None => x,
            Some(&other) => {
                let y = self.vector(e, PlanRow(other), k);
                e.mul(x, y)
            }
        }
    }

    fn put(&mut self, e: &mut FunctionEmitter, row: PlanRow, chunk: ChunkVectors) {
        for (k, &vector) in chunk.iter().enumerate() {
            e.store(vector, self.values, place(row, k));
        }
        if self.kept.insert(row, chunk).is_none() {
            self.order.push_back(row);
        }
        if self.order.len() > KEPT_ROWS
            && let Some(oldest) = self.order.pop_front()
        {
            self.kept.remove(&oldest);
        }
    }
}
