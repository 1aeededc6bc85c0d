//! Which rows and exponents an operation reads and writes.

use super::draft::DraftOp;
use crate::plan::{ExponentId, PlanOperation, PlanRow};

/// A run of rows.
pub(super) type RowRun = (PlanRow, u32);

impl DraftOp {
    /// Calls `see` for each run of rows that is read; a rescaling reads and
    /// writes its rows.
    pub fn each_input(&self, mut see: impl FnMut(RowRun)) {
        match self {
            DraftOp::Sum(sum) => sum.factors.iter().for_each(|&row| see((PlanRow(row), 1))),
            DraftOp::Whole(op) => each_input(op, see),
        }
    }

    /// Calls `see` for each run of rows that is defined here.
    pub fn each_output(&self, mut see: impl FnMut(RowRun)) {
        match self {
            DraftOp::Sum(sum) => see((sum.out, 1)),
            DraftOp::Whole(op) => each_output(op, see),
        }
    }

    /// Calls `see` for each exponent that is read.
    pub fn each_exponent(&self, mut see: impl FnMut(ExponentId)) {
        match self {
            DraftOp::Whole(PlanOperation::AddExponents(op)) => {
                op.inputs.iter().for_each(|&id| see(id))
            }
            DraftOp::Whole(PlanOperation::Rescale(op)) => {
                let exponents = op.classes.iter().filter_map(|class| class.exponent);
                exponents.for_each(see);
            }
            _ => {}
        }
    }

    /// The exponent that is defined here.
    pub fn exponent(&self) -> Option<ExponentId> {
        match self {
            DraftOp::Whole(PlanOperation::AddExponents(op)) => Some(op.exponent),
            DraftOp::Whole(PlanOperation::Rescale(op)) => Some(op.exponent),
            DraftOp::Whole(PlanOperation::Density(op)) => Some(op.exponent),
            _ => None,
        }
    }
}

/// Calls `see` for each run of rows that an operation reads.
pub(super) fn each_input(op: &PlanOperation, mut see: impl FnMut(RowRun)) {
    match op {
        PlanOperation::Dense(op) => see((op.input, op.n_in)),
        PlanOperation::Sparse(op) => op
            .sums()
            .for_each(|sum| sum.factors.iter().for_each(|&row| see((PlanRow(row), 1)))),
        PlanOperation::Product(op) => op.factors.iter().for_each(|&(row, _)| see((row, op.n))),
        PlanOperation::Rescale(op) => {
            let rows = op.classes.iter().flat_map(|class| class.rows.iter());
            rows.for_each(|&run| see(run));
        }
        PlanOperation::Gather(_) | PlanOperation::Density(_) | PlanOperation::AddExponents(_) => {}
    }
}

/// Calls `see` for each run of rows that an operation defines.
pub(super) fn each_output(op: &PlanOperation, mut see: impl FnMut(RowRun)) {
    match op {
        PlanOperation::Dense(op) => see((op.out, op.n_out)),
        PlanOperation::Sparse(op) => op.sums().for_each(|sum| see((sum.out, 1))),
        PlanOperation::Product(op) => see((op.out, op.n)),
        PlanOperation::Gather(op) => see((op.out, op.n)),
        PlanOperation::Density(op) => see((op.out, op.n)),
        PlanOperation::Rescale(_) | PlanOperation::AddExponents(_) => {}
    }
}

/// Replaces every row of an operation.
pub(super) fn relocate(op: &mut PlanOperation, place: impl Fn(PlanRow) -> PlanRow) {
    match op {
        PlanOperation::Dense(op) => {
            op.out = place(op.out);
            op.input = place(op.input);
        }
        PlanOperation::Sparse(op) => relocate_words(&mut op.words, place),
        PlanOperation::Product(op) => {
            op.out = place(op.out);
            for (row, _) in &mut op.factors {
                *row = place(*row);
            }
        }
        PlanOperation::Rescale(op) => {
            for (row, _) in op.classes.iter_mut().flat_map(|class| &mut class.rows) {
                *row = place(*row);
            }
        }
        PlanOperation::Gather(op) => op.out = place(op.out),
        PlanOperation::Density(op) => op.out = place(op.out),
        PlanOperation::AddExponents(_) => {}
    }
}

fn relocate_words(words: &mut [u32], place: impl Fn(PlanRow) -> PlanRow) {
    let mut at = 0;
    while at < words.len() {
        let (n_factors, n_sums) = (words[at] * words[at + 1], words[at + 2]);
        at += 3;
        for _ in 0..n_sums {
            words[at] = place(PlanRow(words[at])).0;
            for word in &mut words[at + 2..at + 2 + n_factors as usize] {
                *word = place(PlanRow(*word)).0;
            }
            at += 2 + n_factors as usize;
        }
    }
}
