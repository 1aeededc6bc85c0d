//! Dense layers of all shapes.

use super::{Room, check};
use crate::plan::{Dense, Flow, Op, Row, Slot};

/// A block over some rows in the middle of the buffers.
fn block(n_out: u32, n_in: u32, flow: Flow) -> (Op, Room) {
    let op = Op::Dense(Dense {
        out: Row(1 + n_in + 1),
        n_out,
        input: Row(1),
        n_in,
        weights: Slot(3),
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
            let flow = [Flow::Set, Flow::Add, Flow::Skip][((n_out + n_in) % 3) as usize];
            let (op, room) = block(n_out, n_in, flow);
            check(vec![op], room, u64::from(n_out * 100 + n_in));
        }
    }
}

#[test]
fn square_blocks() {
    for size in 1..=40 {
        let (op, room) = block(size, size, [Flow::Set, Flow::Add][size as usize % 2]);
        check(vec![op], room, u64::from(size));
    }
}

#[test]
fn long_and_flat_blocks() {
    for (n_out, n_in) in [(1, 300), (300, 1), (2, 129), (129, 2), (7, 70), (70, 7)] {
        let (op, room) = block(n_out, n_in, Flow::Add);
        check(vec![op], room, 5);
    }
}

#[test]
fn blocks_of_one_shape_share_code_and_weights() {
    let blocks = (0..5).map(|k| {
        Op::Dense(Dense {
            out: Row(1 + 3 * (k + 1)),
            n_out: 3,
            input: Row(1 + 3 * k),
            n_in: 3,
            weights: Slot(9 * (k / 2)),
            flow: Flow::Set,
        })
    });
    let room = Room {
        rows: 20,
        weights: 40,
        ..Room::default()
    };
    check(blocks.collect(), room, 17);
}
