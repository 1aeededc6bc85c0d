//! Speed of generated code, and of generating it.
//!
//! `cargo bench -p pelton --bench codegen`. Dense layers are compared with the
//! peak of 128-bit multiply-adds measured in the same run; straight-line code is
//! given in nanoseconds for one edge and one sample, compilation in seconds for a
//! million edges, those of all threads together.

use pelton_compiler::codegen::{CodegenOptions, NativePlan, compile};
use pelton_compiler::engine::VectorWidth;
use pelton_compiler::kernel::{Frame, KernelPass, PlanExecutor, Precision, ROW_BYTES};
use pelton_compiler::plan::{
    DenseLayer, DerivativeWrite, Plan, PlanOperation, PlanRow, SparseSegment, WeightSlot,
};
use pelton_tests::measure::fastest;
use pelton_workload::measure_peak;
use std::sync::Arc;

const LANES: f64 = 64.0;

/// Seconds of one measurement: short, so that on a busy machine the fastest of
/// many was not interrupted.
const WINDOW: f64 = 2e-4;

/// One row of samples on a cache line of its own.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([f32; 64]);

fn main() {
    // Two operations a multiply-add.
    let peak = 2.0 * measure_peak(VectorWidth::Bits128, Precision::F32);
    println!("peak of 128-bit multiply-adds, f32: {peak:.1} GFLOP/s");
    dense(peak);
    straight_line();
}

/// Chains of square layers, as deep as fits the second-level cache.
fn dense(peak: f64) {
    println!("\ndense layers, f32: GFLOP/s and share of the peak");
    println!(
        "{:>6} {:>10} {:>16} {:>16}",
        "size", "code", "forward", "backward"
    );
    for size in [2, 4, 8, 12, 16, 32, 64] {
        let n_layers = (256 / size).clamp(4, 16);
        let layers = (0..n_layers).map(|k| {
            PlanOperation::Dense(DenseLayer {
                out: PlanRow(1 + size * (k + 1)),
                n_out: size,
                input: PlanRow(1 + size * k),
                n_in: size,
                weights: WeightSlot(size * size * (k % 2)),
                flow: DerivativeWrite::Set,
            })
        });
        let n_rows = 1 + size * (n_layers + 1);
        let plan = Plan::bare(layers.collect(), n_rows, (2 * size * size) as usize);
        let mut bench = Bench::new(plan, 1.0 / f64::from(size));
        let flops = f64::from(size * size * n_layers) * LANES * 2.0;
        let forward = flops / bench.seconds(KernelPass::Forward) / 1e9;
        let backward = 2.0 * flops / bench.seconds(KernelPass::Backward) / 1e9;
        println!(
            "{size:>6} {:>8} B {forward:>9.1} {:>5.2} {backward:>10.1} {:>5.2}",
            bench.code_bytes(),
            forward / peak,
            backward / peak
        );
    }
}

/// Random sums of one and of two factors a term.
fn straight_line() {
    println!("\nstraight-line segments, f32: ns for an edge and a sample");
    println!(
        "{:>8} {:>8} {:>9} {:>9} {:>9} {:>12} {:>12}",
        "factors", "edges", "forward", "max", "backward", "s/M edges", "s/M backward"
    );
    for arity in [1, 2] {
        for n_edges in [1_000, 10_000, 100_000] {
            let mut bench = Bench::new(sums(n_edges, arity), 0.3);
            let compile_forward = bench.prepare(KernelPass::Forward) * 1e6 / f64::from(n_edges);
            let compile_backward = bench.prepare(KernelPass::Backward) * 1e6 / f64::from(n_edges);
            let mut per_edge = |pass| bench.seconds(pass) * 1e9 / f64::from(n_edges) / LANES;
            let forward = per_edge(KernelPass::Forward);
            let (max, backward) = (per_edge(KernelPass::Max), per_edge(KernelPass::Backward));
            println!(
                "{arity:>8} {n_edges:>8} {forward:>9.3} {max:>9.3} {backward:>9.3} \
                 {compile_forward:>12.2} {compile_backward:>12.2}"
            );
        }
    }
}

/// Segments of sums of four terms; most factors are of late, as in a schedule
/// that goes up from the leaves.
fn sums(n_edges: u32, arity: u32) -> Plan {
    let mut random = 1_u64;
    let mut pick = |n: u32| {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (random >> 33) as u32 % n
    };
    let n_sums = n_edges / 4;
    let inputs = 64;
    let mut ops = Vec::new();
    for first in (0..n_sums).step_by(150) {
        let n = 150.min(n_sums - first);
        let mut words = vec![4, arity, n];
        for sum in first..first + n {
            let out = inputs + sum;
            words.extend([out, 4 * sum]);
            words.extend((0..4 * arity).map(|_| match pick(8) {
                0 => pick(out),
                _ => out - 1 - pick(out.min(256)),
            }));
        }
        ops.push(PlanOperation::Sparse(SparseSegment {
            words: words.into(),
            n_sums: n,
            n_terms: 4 * n,
        }));
    }
    Plan::bare(ops, inputs + n_sums, n_edges as usize)
}

/// A kernel with buffers to run it on.
struct Bench {
    kernel: NativePlan,
    values: Vec<Line>,
    derivatives: Vec<Line>,
    weights: Vec<f32>,
    counts: Vec<f32>,
}

impl Bench {
    fn new(plan: Plan, weight: f64) -> Self {
        let options = CodegenOptions {
            precision: Precision::F32,
            ..CodegenOptions::default()
        };
        assert_eq!(size_of::<Line>(), ROW_BYTES);
        Bench {
            values: vec![Line([1.0; 64]); plan.n_rows()],
            derivatives: vec![Line([1.0; 64]); plan.n_rows()],
            weights: vec![weight as f32; plan.weights().len()],
            counts: vec![0.0; plan.weights().len()],
            kernel: compile(Arc::new(plan), &options).expect("the host is supported"),
        }
    }

    fn code_bytes(&self) -> usize {
        let bytes = self.kernel.code_bytes(KernelPass::Forward);
        bytes.expect("generated code compiles")
    }

    /// Seconds of work to compile a pass.
    fn prepare(&self, pass: KernelPass) -> f64 {
        let start = processor_seconds();
        let prepared = self.kernel.prepare(pass);
        prepared.expect("generated code compiles");
        processor_seconds() - start
    }

    /// Seconds of a pass.
    fn seconds(&mut self, pass: KernelPass) -> f64 {
        self.prepare(pass);
        self.derivatives.fill(Line([0.0; 64]));
        if let Some(root) = self.derivatives.last_mut() {
            root.0.fill(1.0);
        }
        let mut lost = 0;
        let frame = Frame {
            values: self.values.as_mut_ptr().cast(),
            derivatives: self.derivatives.as_mut_ptr().cast(),
            weights: self.weights.as_ptr().cast(),
            counts: self.counts.as_mut_ptr().cast(),
            lost: &mut lost,
            ..Frame::empty()
        };
        // SAFETY: the buffers are as long as the plan says, and its operations
        // use no others.
        let run = || unsafe { self.kernel.run(pass, &frame) };
        let once = fastest(3, run).as_secs_f64();
        let repeats = (WINDOW / once).clamp(1.0, 10_000.0) as usize;
        fastest(200, || (0..repeats).for_each(|_| run())).as_secs_f64() / repeats as f64
    }
}

/// Processor time of the process, which other work on the machine does not
/// lengthen; NaN where the system does not tell.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks = fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>());
    ticks
        .sum::<Result<f64, _>>()
        .map_or(f64::NAN, |ticks| ticks / 100.0)
}
