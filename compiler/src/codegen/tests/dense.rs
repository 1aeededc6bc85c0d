//! Dense layers of all shapes.

use super::{Room, check};
use crate::plan::{DenseLayer, DerivativeWrite, PlanOperation, PlanRow, WeightSlot};

/// A block over some rows in the middle of the buffers.
fn block(n_out: u32, n_in: u32, flow: DerivativeWrite) -> (PlanOperation, Room) {
    let op = PlanOperation::Dense(DenseLayer {
        out: PlanRow(1 + n_in + 1),
        n_out,
        input: PlanRow(1),
        n_in,
        weights: WeightSlot(3),
        flow,
    });
    let room = Room {
        rows: (n_in + n_out + 3) as usize,
        weights: (n_in * n_out + 6) as usize,
        ..Room::default()
    };
    (op, room)
}

#[test]
fn small_blocks_of_every_shape() {
    for n_out in 1..=6 {
        for n_in in 1..=10 {
            let flow = [
                DerivativeWrite::Set,
                DerivativeWrite::Add,
                DerivativeWrite::Skip,
            ][((n_out + n_in) % 3) as usize];
            let (op, room) = block(n_out, n_in, flow);
            check(vec![op], room, u64::from(n_out * 100 + n_in));
        }
    }
}

#[test]
fn square_blocks() {
    for size in 1..=40 {
        let (op, room) = block(
            size,
            size,
            [DerivativeWrite::Set, DerivativeWrite::Add][size as usize % 2],
        );
        check(vec![op], room, u64::from(size));
    }
}

#[test]
fn long_and_flat_blocks() {
    for (n_out, n_in) in [(1, 300), (300, 1), (2, 129), (129, 2), (7, 70), (70, 7)] {
        let (op, room) = block(n_out, n_in, DerivativeWrite::Add);
        check(vec![op], room, 5);
    }
}

#[test]
fn blocks_of_one_shape_share_code_and_weights() {
    let blocks = (0..5).map(|k| {
        PlanOperation::Dense(DenseLayer {
            out: PlanRow(1 + 3 * (k + 1)),
            n_out: 3,
            input: PlanRow(1 + 3 * k),
            n_in: 3,
            weights: WeightSlot(9 * (k / 2)),
            flow: DerivativeWrite::Set,
        })
    });
    let room = Room {
        rows: 20,
        weights: 40,
        ..Room::default()
    };
    check(blocks.collect(), room, 17);
}
