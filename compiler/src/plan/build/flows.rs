//! Derivatives: who sets them, who adds to them, and where they lie.

use super::layout::{PlanLayout, RowAllocator, RowRetention};
use super::touch::{each_input, each_output};
use crate::plan::{DerivativeWrite, PlanOperation, PlanRow};

/// Decides which operation sets the derivatives of a row and which ones add to
/// them; returns the runs of rows that have to start at zero. Nothing flows to the first
/// `n_skipped` rows.
pub(super) fn direct_flows(
    ops: &mut [PlanOperation],
    n_rows: u32,
    n_skipped: u32,
    root: PlanRow,
) -> Vec<(PlanRow, u32)> {
    let mut flows = DerivativeRows {
        written: vec![false; n_rows as usize],
        zeroed: vec![false; n_rows as usize],
        n_skipped,
    };
    flows.written[root.0 as usize] = true;
    // Backward, whoever reaches a row first may set its derivative; others add. A row that is
    // first reached as part of a longer run, or by a sparse sum, starts at zero instead.
    for op in ops.iter_mut().rev() {
        match op {
            PlanOperation::Dense(op) => op.flow = flows.direct(op.input, op.n_in),
            PlanOperation::Product(op) => {
                for (row, flow) in &mut op.factors {
                    *flow = flows.direct(*row, op.n);
                }
            }
            PlanOperation::Sparse(op) => {
                for sum in op.sums() {
                    sum.factors.iter().for_each(|&row| flows.add(row));
                }
            }
            PlanOperation::Gather(_)
            | PlanOperation::Density(_)
            | PlanOperation::Rescale(_)
            | PlanOperation::AddExponents(_) => {}
        }
        // Rows that are shared begin anew with the group that has them before.
        each_output(op, |(first, n)| {
            flows.written[first.0 as usize..][..n as usize].fill(false);
        });
    }
    runs(&flows.zeroed)
}

struct DerivativeRows {
    written: Vec<bool>,
    zeroed: Vec<bool>,
    n_skipped: u32,
}

impl DerivativeRows {
    fn direct(&mut self, first: PlanRow, n: u32) -> DerivativeWrite {
        if first.0 + n <= self.n_skipped {
            return DerivativeWrite::Skip;
        }
        let rows = first.0..first.0 + n;
        if rows.clone().all(|row| !self.written[row as usize]) {
            self.written[first.0 as usize..][..n as usize].fill(true);
            return DerivativeWrite::Set;
        }
        rows.for_each(|row| self.add(row));
        DerivativeWrite::Add
    }

    fn add(&mut self, row: u32) {
        if !std::mem::replace(&mut self.written[row as usize], true) {
            self.zeroed[row as usize] = true;
        }
    }
}

fn runs(marked: &[bool]) -> Vec<(PlanRow, u32)> {
    let mut runs: Vec<(PlanRow, u32)> = Vec::new();
    for row in (0..marked.len() as u32).filter(|&row| marked[row as usize]) {
        match runs.last_mut() {
            Some((first, n)) if first.0 + *n == row => *n += 1,
            _ => runs.push((PlanRow(row), 1)),
        }
    }
    runs
}

/// The row of derivatives of each row (none if they are the same), and how many
/// rows of derivatives there are.
pub(super) fn place_derivatives(
    ops: &[PlanOperation],
    layout: &PlanLayout,
    zeroed: &[(PlanRow, u32)],
    n_evidence_rows: u32,
    keep: RowRetention,
) -> (Vec<u32>, u32) {
    if !matches!(keep, RowRetention::Values | RowRetention::Evidence) {
        return (Vec::new(), layout.n_rows);
    }
    // As rows of values are laid out, seen from the other end: a group of derivatives is
    // needed from the first operation, counted from the last, that flows to it, to the one
    // that defines its values.
    let group_of = group_of_rows(layout);
    let group = |row: PlanRow| group_of[row.0 as usize];
    let mut rows = RowAllocator::new(n_evidence_rows, layout.groups.len());
    let take = |rows: &mut RowAllocator, row: PlanRow| {
        if let Some(group) = group(row) {
            rows.take(group, layout.groups[group].1);
        }
    };
    for &(first, n) in zeroed {
        (first.0..first.0 + n).for_each(|row| take(&mut rows, PlanRow(row)));
    }
    take(&mut rows, layout.root);
    // Posteriors read derivatives of leaves when the pass is over.
    let is_kept = match keep {
        RowRetention::Evidence => leaf_groups(ops, layout, group),
        RowRetention::All | RowRetention::Values | RowRetention::Choices | RowRetention::Live => {
            vec![false; layout.groups.len()]
        }
    };
    let ends = ends(ops, layout, group);
    for (op, ended) in ops.iter().zip(&ends).rev() {
        each_input(op, |(row, _)| take(&mut rows, row));
        for &group in ended.iter().filter(|&&group| !is_kept[group]) {
            rows.release(group, layout.groups[group].1);
        }
    }
    // Passing rows keep their order behind all others.
    let first_passing = layout.n_rows - layout.passing;
    let place = |row: u32| match group(PlanRow(row)) {
        Some(group) => {
            let offset = row - layout.groups[group].0.0;
            rows.start(group).map_or(row, |start| start + offset)
        }
        None if row >= first_passing => rows.n_rows() + row - first_passing,
        None => row,
    };
    let table = (0..layout.n_rows).map(place).collect();
    (table, rows.n_rows() + layout.passing)
}

/// Runs of rows as runs of derivatives.
pub(super) fn relocate_runs(rows: Vec<(PlanRow, u32)>, table: &[u32]) -> Vec<(PlanRow, u32)> {
    if table.is_empty() {
        return rows;
    }
    let single = rows.iter().flat_map(|&(first, n)| first.0..first.0 + n);
    let mut marked: Vec<u32> = single.map(|row| table[row as usize]).collect();
    marked.sort_unstable();
    marked
        .chunk_by(|a, b| a + 1 == *b)
        .map(|run| (PlanRow(run[0]), run.len() as u32))
        .collect()
}

fn group_of_rows(layout: &PlanLayout) -> Vec<Option<usize>> {
    let mut group_of = vec![None; layout.n_rows as usize];
    for (at, &(first, n)) in layout.groups.iter().enumerate() {
        group_of[first.0 as usize..][..n as usize].fill(Some(at));
    }
    group_of
}

/// Which groups have leaves with tables or densities.
fn leaf_groups(
    ops: &[PlanOperation],
    layout: &PlanLayout,
    group: impl Fn(PlanRow) -> Option<usize>,
) -> Vec<bool> {
    let mut has_leaves = vec![false; layout.groups.len()];
    let is_leaf =
        |op: &&PlanOperation| matches!(op, PlanOperation::Gather(_) | PlanOperation::Density(_));
    for op in ops.iter().filter(is_leaf) {
        each_output(op, |(row, _)| {
            if let Some(group) = group(row) {
                has_leaves[group] = true;
            }
        });
    }
    has_leaves
}

/// For each operation the groups whose derivatives nobody reads after it, when
/// operations are taken from the last to the first: those it is the first to define.
fn ends(
    ops: &[PlanOperation],
    layout: &PlanLayout,
    group: impl Fn(PlanRow) -> Option<usize>,
) -> Vec<Vec<usize>> {
    let mut is_seen = vec![false; layout.groups.len()];
    ops.iter()
        .map(|op| {
            let mut ended = Vec::new();
            each_output(op, |(row, _)| {
                if let Some(group) = group(row)
                    && !std::mem::replace(&mut is_seen[group], true)
                {
                    ended.push(group);
                }
            });
            ended
        })
        .collect()
}
