//! Kernels as objects: owned, shared, dropped, compiled on demand.

use super::buffers::Buffers;
use super::{PASSES, Room, naive, plan};
use crate::codegen::{CodegenOptions, NativePlan, compile};
use crate::kernel::{KernelPass, PlanExecutor};
use crate::plan::{
    DenseLayer, DerivativeWrite, Plan, PlanOperation, PlanRow, ProductRun, WeightSlot,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// Layers of sums and products, more than one driver holds.
fn layers(n: u32) -> (Plan, Room) {
    let layer = |k: u32| {
        let dense = PlanOperation::Dense(DenseLayer {
            out: PlanRow(5 + 4 * k),
            n_out: 2,
            input: PlanRow(1 + 2 * (k % 2)),
            n_in: 2,
            weights: WeightSlot(4 * (k % 7)),
            flow: DerivativeWrite::Add,
        });
        let product = PlanOperation::Product(ProductRun {
            out: PlanRow(7 + 4 * k),
            n: 2,
            factors: vec![
                (PlanRow(1), DerivativeWrite::Skip),
                (PlanRow(3), DerivativeWrite::Skip),
            ],
        });
        [dense, product]
    };
    let room = Room {
        rows: (9 + 4 * n) as usize,
        weights: 28,
        ..Room::default()
    };
    (plan((0..n).flat_map(layer).collect()), room)
}

fn assert_right(kernel: &NativePlan, room: Room, seed: u64) {
    for pass in PASSES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut buffers = Buffers::<f32>::random(&mut rng, room);
        let mut expected = buffers.widened();
        // SAFETY: the buffers have the room that the operations take.
        unsafe { kernel.run(pass, &buffers.frame()) };
        naive::run(kernel.plan(), pass, &mut expected);
        buffers.assert_close(&expected, &format!("{pass:?}"));
    }
}

#[test]
fn long_plans_take_several_drivers() {
    let (plan, room) = layers(300);
    let kernel = compile(Arc::new(plan), &CodegenOptions::default()).expect("host");
    assert_right(&kernel, room, 1);
}

#[test]
fn threads_share_a_kernel() {
    let (plan, room) = layers(20);
    let kernel = &compile(Arc::new(plan), &CodegenOptions::default()).expect("host");
    std::thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || assert_right(kernel, room, seed));
        }
    });
}

#[test]
fn an_empty_plan_runs() {
    let kernel = compile(Arc::new(plan(Vec::new())), &CodegenOptions::default()).expect("host");
    assert_right(&kernel, Room::default(), 1);
}

#[test]
fn dropping_frees_memory() {
    let (plan, room) = layers(200);
    let plan = Arc::new(plan);
    let make = || compile(plan.clone(), &CodegenOptions::default()).expect("host");
    let prepared = |kernel: &NativePlan| kernel.prepare(KernelPass::Forward).expect("compiles");
    let n_bytes = make().code_bytes(KernelPass::Forward).expect("compiles");
    prepared(&make());
    let before = executable_bytes();
    for _ in 0..50 {
        prepared(&make());
    }
    let after = executable_bytes();
    // Other tests of the process may hold code meanwhile, but not fifty times ours.
    assert!(n_bytes > 4096);
    if let (Some(before), Some(after)) = (before, after) {
        assert!(
            after < before + 25 * n_bytes,
            "{before} bytes became {after}"
        );
    }
    assert_right(&make(), room, 2);
}

/// Bytes of anonymous executable memory, where the system tells.
fn executable_bytes() -> Option<usize> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let anonymous = maps.lines().filter_map(|line| {
        let fields: Vec<_> = line.split_whitespace().collect();
        let (from, to) = fields.first()?.split_once('-')?;
        let bytes = usize::from_str_radix(to, 16).ok()? - usize::from_str_radix(from, 16).ok()?;
        (fields.len() == 5 && fields[1].contains('x')).then_some(bytes)
    });
    Some(anonymous.sum())
}

#[test]
fn memory_is_never_writable_and_executable() {
    let (plan, room) = layers(50);
    let kernel = compile(Arc::new(plan), &CodegenOptions::default()).expect("host");
    assert_right(&kernel, room, 3);
    if let Ok(maps) = std::fs::read_to_string("/proc/self/maps") {
        let both = |line: &&str| {
            line.split_whitespace()
                .nth(1)
                .is_some_and(|rights| rights.contains('w') && rights.contains('x'))
        };
        assert_eq!(maps.lines().find(both), None);
    }
}
