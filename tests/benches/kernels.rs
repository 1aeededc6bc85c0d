//! Speed of the kernels, as fractions of what the CPU can do in the same run.
//!
//! `cargo bench -p pelton --bench kernels`. The peak is measured between the
//! kernels, because other programs and the clock change it.

use pelton_compiler::engine::VectorWidth;
use pelton_compiler::kernel::{Frame, KernelPass, KernelTable, Precision, ROW_BYTES};
use pelton_compiler::plan::{
    DenseLayer, DerivativeWrite, PlanOperation, PlanRow, ProductRun, SparseSegment, WeightSlot,
};
use pelton_tests::dice::Dice;
use pelton_workload::measure_peak;
use std::time::Instant;

fn main() {
    for precision in [Precision::F32, Precision::F64] {
        let Some(wide) = KernelTable::wide(precision) else {
            println!("this CPU lacks AVX2 or FMA: portable kernels only");
            dense("portable", &KernelTable::portable(precision), precision);
            continue;
        };
        dense("wide", &wide, precision);
        dense("portable", &KernelTable::portable(precision), precision);
    }
    let precision = Precision::F32;
    if let Some(wide) = KernelTable::wide(precision) {
        sparse("wide", &wide, precision);
    }
    sparse("portable", &KernelTable::portable(precision), precision);
}

/// Buffers of a tile, filled with numbers close to one.
struct Tile {
    values: Vec<Row256>,
    derivatives: Vec<Row256>,
    weights: Vec<Row256>,
    counts: Vec<Row256>,
    lost: u64,
}

/// A row, aligned as vectors like it.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Row256 {
    _bytes: [u8; ROW_BYTES],
}

fn filled(n_rows: usize, precision: Precision) -> Vec<Row256> {
    let mut bytes = [0; ROW_BYTES];
    for lane in 0..precision.lanes() {
        let number = 0.5 + lane as f64 / 128.0;
        match precision {
            Precision::F32 => {
                bytes[4 * lane..4 * lane + 4].copy_from_slice(&(number as f32).to_ne_bytes())
            }
            Precision::F64 => bytes[8 * lane..8 * lane + 8].copy_from_slice(&number.to_ne_bytes()),
        }
    }
    vec![Row256 { _bytes: bytes }; n_rows]
}

impl Tile {
    fn new(n_rows: usize, n_weights: usize, precision: Precision) -> Self {
        let n_weight_rows = n_weights.div_ceil(precision.lanes());
        Tile {
            values: filled(n_rows, precision),
            derivatives: filled(n_rows, precision),
            weights: filled(n_weight_rows, precision),
            counts: filled(n_weight_rows, precision),
            lost: 0,
        }
    }

    /// Nanoseconds of the fastest of several runs of an operation.
    fn time(&mut self, table: &KernelTable, ops: &[PlanOperation], pass: KernelPass) -> f64 {
        let frame = Frame {
            values: self.values.as_mut_ptr().cast(),
            derivatives: self.derivatives.as_mut_ptr().cast(),
            weights: self.weights.as_ptr().cast(),
            counts: self.counts.as_mut_ptr().cast(),
            lost: &mut self.lost,
            ..Frame::empty()
        };
        let run = || {
            for op in ops {
                let (_, kernel) = table.get(op, pass).expect("the operation has the pass");
                // SAFETY: the buffers were made for the operations.
                unsafe { kernel(&frame, op) }
            }
        };
        fastest(run)
    }
}

/// Nanoseconds of one call: the fastest of many groups of about 20 µs, some of
/// which no other program disturbs.
fn fastest(run: impl Fn()) -> f64 {
    let start = Instant::now();
    run();
    let repeats = (2e4 / start.elapsed().as_nanos().max(1) as f64).clamp(1.0, 1e5) as u32;
    let group = || {
        let start = Instant::now();
        (0..repeats).for_each(|_| run());
        start.elapsed().as_nanos() as f64 / f64::from(repeats)
    };
    let n_groups = if repeats == 1 { 100 } else { 1000 };
    (0..n_groups).map(|_| group()).fold(f64::INFINITY, f64::min)
}

/// Dense layers as fractions of the peak, the highest of all measured here.
fn dense(name: &str, table: &KernelTable, precision: Precision) {
    let sizes = [
        (1, 12),
        (12, 2),
        (32, 2),
        (12, 4),
        (12, 8),
        (12, 12),
        (32, 32),
        (64, 64),
    ];
    let mut peak = 0.0_f64;
    let mut lines = Vec::new();
    for (n_out, n_in) in sizes {
        peak = peak.max(measure_peak(VectorWidth::Bits256, precision));
        lines.push((n_out, n_in, speeds(table, precision, n_out, n_in)));
    }
    let narrow = measure_peak(VectorWidth::Bits128, precision);
    println!(
        "\n{name} dense layers, {}, of the peak of {peak:.1} G multiply-adds/s (128 bits: {narrow:.1})",
        precision.name()
    );
    println!(
        "{:>9} {:>8} {:>8} {:>8} {:>8}",
        "out x in", "forward", "max", "counts", "backward"
    );
    for (n_out, n_in, speeds) in lines {
        let size = format!("{n_out} x {n_in}");
        let [forward, max, counts, backward] = speeds.map(|speed| speed / peak);
        println!("{size:>9} {forward:>8.2} {max:>8.2} {counts:>8.2} {backward:>8.2}");
    }
}

/// Multiply-adds in billions a second: forward, max, counts alone, backward.
fn speeds(table: &KernelTable, precision: Precision, n_out: u32, n_in: u32) -> [f64; 4] {
    let op = |flow| {
        [PlanOperation::Dense(DenseLayer {
            out: PlanRow(n_in),
            n_out,
            input: PlanRow(0),
            n_in,
            weights: WeightSlot(0),
            flow,
        })]
    };
    let mut tile = Tile::new((n_in + n_out) as usize, (n_in * n_out) as usize, precision);
    let work = f64::from(n_in * n_out) * precision.lanes() as f64;
    [
        (DerivativeWrite::Set, KernelPass::Forward, 1.0),
        (DerivativeWrite::Set, KernelPass::Max, 1.0),
        (DerivativeWrite::Skip, KernelPass::Backward, 1.0),
        (DerivativeWrite::Set, KernelPass::Backward, 2.0),
    ]
    .map(|(flow, pass, products)| products * work / tile.time(table, &op(flow), pass))
}

/// Segments of sums over random rows, in nanoseconds per term and sample.
fn sparse(name: &str, table: &KernelTable, precision: Precision) {
    println!(
        "\n{name} sparse sums, {}: ns per term and sample",
        precision.name()
    );
    println!(
        "{:>8} {:>6} {:>10} {:>8} {:>8} {:>8} {:>12}",
        "terms", "arity", "of a sum", "forward", "max", "backward", "rows, KiB"
    );
    for (arity, per_sum) in [(1, 2), (1, 4), (1, 8), (2, 2), (2, 4)] {
        for n_terms in [1_000, 10_000, 100_000] {
            let (ops, n_rows) = random_sums(n_terms, arity, per_sum);
            let mut tile = Tile::new(n_rows, n_terms as usize, precision);
            let mut cost = |pass| {
                let samples = precision.lanes() as f64 * f64::from(n_terms);
                tile.time(table, &ops, pass) / samples
            };
            println!(
                "{n_terms:>8} {arity:>6} {per_sum:>10} {:>8.4} {:>8.4} {:>8.4} {:>12}",
                cost(KernelPass::Forward),
                cost(KernelPass::Max),
                cost(KernelPass::Backward),
                n_rows * ROW_BYTES / 1024
            );
        }
    }
    let product = [PlanOperation::Product(ProductRun {
        out: PlanRow(0),
        n: 64,
        factors: vec![
            (PlanRow(64), DerivativeWrite::Set),
            (PlanRow(128), DerivativeWrite::Set),
        ],
    })];
    let mut tile = Tile::new(192, 0, precision);
    let samples = 64.0 * precision.lanes() as f64;
    println!(
        "64 products of two: {:.4} forward, {:.4} backward, ns per product and sample",
        tile.time(table, &product, KernelPass::Forward) / samples,
        tile.time(table, &product, KernelPass::Backward) / samples
    );
}

/// Segments of about 800 terms. Sums mostly use recent rows, as in a post-order
/// schedule, and sometimes any earlier one.
fn random_sums(n_terms: u32, arity: u32, per_sum: u32) -> (Vec<PlanOperation>, usize) {
    let mut dice = Dice::new(1);
    let n_sums = n_terms / per_sum;
    let n_leaves = 64;
    let mut ops = Vec::new();
    let per_segment = 800 / per_sum;
    let mut done = 0;
    while done < n_sums {
        let n = per_segment.min(n_sums - done);
        let mut words = vec![per_sum, arity, n];
        for sum in done..done + n {
            let known = (n_leaves + sum) as usize;
            words.extend([n_leaves + sum, sum * per_sum]);
            for _ in 0..per_sum * arity {
                let near = dice.chance(90);
                let back = dice.below(if near { 64 } else { known });
                words.push((known - 1 - back) as u32);
            }
        }
        ops.push(PlanOperation::Sparse(SparseSegment {
            words: words.into(),
            n_sums: n,
            n_terms: n * per_sum,
        }));
        done += n;
    }
    (ops, (n_leaves + n_sums) as usize)
}
