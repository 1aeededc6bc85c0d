//! Runs of products.

use super::{Room, check};
use crate::plan::{DerivativeWrite, PlanOperation, PlanRow, ProductRun};

fn product(n: u32, flows: &[DerivativeWrite]) -> (PlanOperation, Room) {
    let factors = flows.iter().enumerate();
    let factors = factors.map(|(k, &flow)| (PlanRow(1 + k as u32 * (n + 1)), flow));
    let out = 1 + flows.len() as u32 * (n + 1);
    let op = PlanOperation::Product(ProductRun {
        out: PlanRow(out),
        n,
        factors: factors.collect(),
    });
    let room = Room {
        rows: (out + n + 1) as usize,
        ..Room::default()
    };
    (op, room)
}

#[test]
fn products_of_every_length() {
    let flows = [
        DerivativeWrite::Set,
        DerivativeWrite::Add,
        DerivativeWrite::Skip,
    ];
    for n in [1, 2, 5, 12, 33] {
        for n_factors in 1..=12 {
            let flows: Vec<_> = (0..n_factors).map(|k| flows[(k + n) % 3]).collect();
            let (op, room) = product(n as u32, &flows);
            check(vec![op], room, (100 * n + n_factors) as u64);
        }
    }
}

#[test]
fn products_of_evidence_have_no_backward_pass() {
    let (op, room) = product(3, &[DerivativeWrite::Skip, DerivativeWrite::Skip]);
    check(vec![op], room, 1);
}

#[test]
fn a_long_product() {
    let (op, room) = product(1, &[DerivativeWrite::Add; 70]);
    check(vec![op], room, 1);
}

#[test]
fn chains_of_products() {
    let ops = (0..100).map(|k| {
        PlanOperation::Product(ProductRun {
            out: PlanRow(k + 3),
            n: 1,
            factors: vec![
                (PlanRow(k % 3), DerivativeWrite::Add),
                (PlanRow(k / 2 + 1), DerivativeWrite::Add),
            ],
        })
    });
    let ops = ops.filter(|op| match op {
        PlanOperation::Product(op) => op.factors[0].0 != op.factors[1].0,
        _ => false,
    });
    let room = Room {
        rows: 104,
        ..Room::default()
    };
    check(ops.collect(), room, 4);
}
