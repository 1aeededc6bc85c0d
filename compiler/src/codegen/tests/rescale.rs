//! Common exponents, with values of all sizes.

use super::buffers::Buffers;
use super::{Room, all_options, check, naive, plan};
use crate::codegen::compile;
use crate::kernel::{KernelPass, PlanExecutor, Real};
use crate::plan::{ExponentId, FactorId, Plan, PlanOperation, PlanRow, ScaleClass, ScopeRescale};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

fn class(rows: &[(u32, u32)], exponent: Option<u32>, factor: u32) -> ScaleClass {
    ScaleClass {
        rows: rows.iter().map(|&(first, n)| (PlanRow(first), n)).collect(),
        exponent: exponent.map(ExponentId),
        factor: FactorId(factor),
    }
}

const ROOM: Room = Room {
    rows: 40,
    weights: 0,
    exponents: 5,
    factors: 4,
    codes: (0, 0),
    soft: false,
};

fn operations() -> Vec<ScopeRescale> {
    let rescale = |exponent, classes| ScopeRescale {
        exponent: ExponentId(exponent),
        classes,
    };
    vec![
        rescale(0, vec![class(&[(1, 1)], None, 0)]),
        rescale(1, vec![class(&[(1, 12)], Some(1), 2)]),
        rescale(
            2,
            vec![
                class(&[(2, 3), (9, 1)], Some(0), 0),
                class(&[(20, 7)], None, 1),
            ],
        ),
        rescale(
            3,
            vec![
                class(&[(1, 2)], None, 1),
                class(&[(5, 1), (8, 5)], Some(3), 3),
                class(&[(30, 9)], Some(4), 0),
            ],
        ),
    ]
}

#[test]
fn numbers_of_ordinary_size() {
    for (seed, op) in operations().into_iter().enumerate() {
        check(vec![PlanOperation::Rescale(op)], ROOM, seed as u64);
    }
}

/// Replaces values by ones from all over the range, many of them zero in all
/// rows of a sample.
fn spread<R: Real>(buffers: &mut Buffers<R>, rng: &mut ChaCha8Rng) {
    let lanes = buffers.lanes;
    let least = R::MIN_EXPONENT - 30;
    let scales: Vec<_> = (0..lanes)
        .map(|_| {
            (
                rng.random_range(0..4) == 0,
                rng.random_range(least..-least - 40),
            )
        })
        .collect();
    for (i, value) in buffers.values.iter_mut().enumerate() {
        let (zero, scale) = scales[i % lanes];
        let power = scale + rng.random_range(-20..=0) * i32::from(i % 3 == 0);
        // Two steps, because the power alone may be out of range.
        let number = rng.random_range(1.0..2.0) * 2_f64.powi(power / 2);
        let number = number * 2_f64.powi(power - power / 2);
        *value = if zero || rng.random_range(0..6) == 0 {
            R::ZERO
        } else {
            R::from_f64(number)
        };
    }
    for exponent in &mut buffers.exponents {
        *exponent = match rng.random_range(0..4) {
            0 => rng.random_range(-200_000..200_000),
            1 => rng.random_range(-1500..1500),
            _ => rng.random_range(-100..100),
        };
    }
}

fn check_spread<R: Real>(plan: &Arc<Plan>, seed: u64) {
    for options in all_options() {
        if options.precision != R::PRECISION || options.kernels.is_some() {
            continue;
        }
        let kernel = compile(plan.clone(), &options).expect("the host is supported");
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut buffers = Buffers::<R>::random(&mut rng, ROOM);
        spread(&mut buffers, &mut rng);
        let mut expected = buffers.widened();
        // SAFETY: the buffers have the room that the operations take.
        unsafe { kernel.run(KernelPass::Forward, &buffers.frame()) };
        naive::run(plan, KernelPass::Forward, &mut expected);
        buffers.assert_close(
            &expected,
            &format!("{options:?} seed {seed} {:?}", plan.ops),
        );
        assert!(buffers.values.iter().all(|x| x.to_f64().is_finite()));
    }
}

#[test]
fn numbers_of_every_size() {
    for op in operations() {
        let plan = Arc::new(plan(vec![PlanOperation::Rescale(op)]));
        for seed in 0..10 {
            check_spread::<f32>(&plan, seed);
            check_spread::<f64>(&plan, seed);
        }
    }
}
