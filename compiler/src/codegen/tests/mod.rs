//! Generated code against the documented formulas, evaluated naively in `f64`.

mod buffers;
mod dense;
mod kernel;
mod leaves;
mod listing;
mod naive;
mod product;
mod rescale;
mod sparse;

use super::{CodegenFeatures, CodegenOptions, compile};
use crate::kernel::{KernelPass, KernelTable, PlanExecutor, Precision, Real};
use crate::plan::{Plan, PlanOperation};
use buffers::Buffers;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

pub(super) const PASSES: [KernelPass; 3] =
    [KernelPass::Forward, KernelPass::Max, KernelPass::Backward];

/// A plan of the given operations; tests bring their own buffers.
pub(super) fn plan(ops: Vec<PlanOperation>) -> Plan {
    Plan::bare(ops, 0, 0)
}

/// Room that operations under test take.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    pub(super) rows: usize,
    pub(super) weights: usize,
    pub(super) exponents: usize,
    pub(super) factors: usize,
    /// Rows of codes, and the number of values of each.
    pub(super) codes: (usize, u32),
    /// Whether the codes' variables have soft evidence.
    pub(super) soft: bool,
}

/// All ways to generate code on this CPU.
pub(super) fn all_options() -> Vec<CodegenOptions> {
    let mut all = Vec::new();
    for precision in [Precision::F32, Precision::F64] {
        for features in [CodegenFeatures::Detect, CodegenFeatures::Baseline] {
            let wide = KernelTable::wide(precision);
            for kernels in [None].into_iter().chain(wide.map(Some)) {
                all.push(CodegenOptions {
                    precision,
                    kernels,
                    features,
                    threads: 2,
                });
            }
        }
    }
    all
}

/// Runs every pass with every option on random buffers and compares all of
/// them, also where the operations should not have written.
pub(super) fn check(ops: Vec<PlanOperation>, room: Room, seed: u64) {
    let plan = Arc::new(plan(ops));
    for options in all_options() {
        for pass in PASSES {
            match options.precision {
                Precision::F32 => check_one::<f32>(&plan, &options, pass, room, seed),
                Precision::F64 => check_one::<f64>(&plan, &options, pass, room, seed),
            }
        }
    }
}

fn check_one<R: Real>(
    plan: &Arc<Plan>,
    options: &CodegenOptions,
    pass: KernelPass,
    room: Room,
    seed: u64,
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut buffers = Buffers::<R>::random(&mut rng, room);
    let mut expected = buffers.widened();
    let kernel = compile(plan.clone(), options).expect("the host is supported");
    // SAFETY: the buffers have the room that the test says its operations take.
    unsafe { kernel.run(pass, &buffers.frame()) };
    naive::run(plan, pass, &mut expected);
    let context = format!("{pass:?} {options:?} seed {seed} {:?}", plan.ops);
    buffers.assert_close(&expected, &context);
}
