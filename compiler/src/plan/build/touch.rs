//! Which rows and exponents an operation reads and writes.

use super::draft::DraftOp;
use crate::plan::{ExponentId, Op, Row};

/// A run of rows.
pub(super) type Run = (Row, u32);

impl DraftOp {
    /// Calls `see` for each run of rows that is read; a rescaling reads and
    /// writes its rows.
    pub fn each_input(&self, mut see: impl FnMut(Run)) {
        match self {
            DraftOp::Sum(sum) => sum.factors.iter().for_each(|&row| see((Row(row), 1))),
            DraftOp::Whole(op) => each_input(op, see),
        }
    }

    /// Calls `see` for each run of rows that is defined here.
    pub fn each_output(&self, mut see: impl FnMut(Run)) {
        match self {
            DraftOp::Sum(sum) => see((sum.out, 1)),
            DraftOp::Whole(op) => each_output(op, see),
        }
    }

    /// Calls `see` for each exponent that is read.
    pub fn each_exponent(&self, mut see: impl FnMut(ExponentId)) {
        match self {
            DraftOp::Whole(Op::AddExponents(op)) => op.inputs.iter().for_each(|&id| see(id)),
            DraftOp::Whole(Op::Rescale(op)) => {
                let exponents = op.classes.iter().filter_map(|class| class.exponent);
                exponents.for_each(see);
            }
            _ => {}
        }
    }

    /// The exponent that is defined here.
    pub fn exponent(&self) -> Option<ExponentId> {
        match self {
            DraftOp::Whole(Op::AddExponents(op)) => Some(op.exponent),
            DraftOp::Whole(Op::Rescale(op)) => Some(op.exponent),
            DraftOp::Whole(Op::Density(op)) => Some(op.exponent),
            _ => None,
        }
    }
}

/// Calls `see` for each run of rows that an operation reads.
pub(super) fn each_input(op: &Op, mut see: impl FnMut(Run)) {
    match op {
        Op::Dense(op) => see((op.input, op.n_in)),
        Op::Sparse(op) => op
            .sums()
            .for_each(|sum| sum.factors.iter().for_each(|&row| see((Row(row), 1)))),
        Op::Product(op) => op.factors.iter().for_each(|&(row, _)| see((row, op.n))),
        Op::Rescale(op) => {
            let rows = op.classes.iter().flat_map(|class| class.rows.iter());
            rows.for_each(|&run| see(run));
        }
        Op::Gather(_) | Op::Density(_) | Op::AddExponents(_) => {}
    }
}

/// Calls `see` for each run of rows that an operation defines.
pub(super) fn each_output(op: &Op, mut see: impl FnMut(Run)) {
    match op {
        Op::Dense(op) => see((op.out, op.n_out)),
        Op::Sparse(op) => op.sums().for_each(|sum| see((sum.out, 1))),
        Op::Product(op) => see((op.out, op.n)),
        Op::Gather(op) => see((op.out, op.n)),
        Op::Density(op) => see((op.out, op.n)),
        Op::Rescale(_) | Op::AddExponents(_) => {}
    }
}

/// Replaces every row of an operation.
pub(super) fn relocate(op: &mut Op, place: impl Fn(Row) -> Row) {
    match op {
        Op::Dense(op) => {
            op.out = place(op.out);
            op.input = place(op.input);
        }
        Op::Sparse(op) => relocate_words(&mut op.words, place),
        Op::Product(op) => {
            op.out = place(op.out);
            for (row, _) in &mut op.factors {
                *row = place(*row);
            }
        }
        Op::Rescale(op) => {
            for (row, _) in op.classes.iter_mut().flat_map(|class| &mut class.rows) {
                *row = place(*row);
            }
        }
        Op::Gather(op) => op.out = place(op.out),
        Op::Density(op) => op.out = place(op.out),
        Op::AddExponents(_) => {}
    }
}

fn relocate_words(words: &mut [u32], place: impl Fn(Row) -> Row) {
    let mut at = 0;
    while at < words.len() {
        let (n_factors, n_sums) = (words[at] * words[at + 1], words[at + 2]);
        at += 3;
        for _ in 0..n_sums {
            words[at] = place(Row(words[at])).0;
            for word in &mut words[at + 2..at + 2 + n_factors as usize] {
                *word = place(Row(*word)).0;
            }
            at += 2 + n_factors as usize;
        }
    }
}
