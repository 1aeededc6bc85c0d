//! Leaves with tables, and exponents that are added.

use super::{Room, check};
use crate::circuit::VarId;
use crate::plan::{AddExponents, ExponentId, PlanOperation, PlanRow, TableGather, WeightSlot};

fn gather(n: u32, n_values: u32, soft: bool) -> (PlanOperation, Room) {
    let op = PlanOperation::Gather(TableGather {
        variable: VarId::new(0),
        codes: 1,
        n_values,
        out: PlanRow(2),
        n,
        weights: WeightSlot(5),
    });
    let room = Room {
        rows: n as usize + 3,
        weights: (n * (n_values + 1)) as usize + 7,
        codes: (3, n_values),
        soft,
        ..Room::default()
    };
    (op, room)
}

#[test]
fn tables() {
    for (n, n_values) in [(1, 9), (2, 10), (7, 33), (12, 256), (5, 1), (3, 4096)] {
        let (op, room) = gather(n, n_values, false);
        check(vec![op], room, u64::from(n_values));
    }
}

#[test]
fn tables_with_soft_evidence() {
    for (n, n_values) in [(1, 9), (2, 10), (7, 33), (12, 41)] {
        let (op, room) = gather(n, n_values, true);
        check(vec![op], room, u64::from(n_values));
    }
}

#[test]
fn exponents_are_added() {
    for n in 2..6 {
        let op = PlanOperation::AddExponents(AddExponents {
            exponent: ExponentId(2),
            inputs: (0..n).map(ExponentId).collect(),
        });
        let room = Room {
            exponents: 7,
            ..Room::default()
        };
        check(vec![op], room, u64::from(n));
    }
}
