//! Derivatives: who sets them, who adds to them, and where they lie.

use super::layout::{Keep, Layout, Rows};
use super::touch::{each_input, each_output};
use crate::plan::{Flow, Op, Row};

/// Decides which operation sets the derivatives of a row and which ones add to
/// them; returns the runs of rows that have to start at zero. Nothing flows to the first
/// `n_skipped` rows.
pub(super) fn direct_flows(
    ops: &mut [Op],
    n_rows: u32,
    n_skipped: u32,
    root: Row,
) -> Vec<(Row, u32)> {
    let mut flows = Flows {
        written: vec![false; n_rows as usize],
        zeroed: vec![false; n_rows as usize],
        n_skipped,
    };
    flows.written[root.0 as usize] = true;
    // Backward, whoever reaches a row first may set its derivative; others add. A row that is
    // first reached as part of a longer run, or by a sparse sum, starts at zero instead.
    for op in ops.iter_mut().rev() {
        match op {
            Op::Dense(op) => op.flow = flows.direct(op.input, op.n_in),
            Op::Product(op) => {
                for (row, flow) in &mut op.factors {
                    *flow = flows.direct(*row, op.n);
                }
            }
            Op::Sparse(op) => {
                for sum in op.sums() {
                    sum.factors.iter().for_each(|&row| flows.add(row));
                }
            }
            Op::Gather(_) | Op::Density(_) | Op::Rescale(_) | Op::AddExponents(_) => {}
        }
        // Rows that are shared begin anew with the group that has them before.
        each_output(op, |(first, n)| {
            flows.written[first.0 as usize..][..n as usize].fill(false);
        });
    }
    runs(&flows.zeroed)
}

struct Flows {
    written: Vec<bool>,
    zeroed: Vec<bool>,
    n_skipped: u32,
}

impl Flows {
    fn direct(&mut self, first: Row, n: u32) -> Flow {
        if first.0 + n <= self.n_skipped {
            return Flow::Skip;
        }
        let rows = first.0..first.0 + n;
        if rows.clone().all(|row| !self.written[row as usize]) {
            self.written[first.0 as usize..][..n as usize].fill(true);
            return Flow::Set;
        }
        rows.for_each(|row| self.add(row));
        Flow::Add
    }

    fn add(&mut self, row: u32) {
        if !std::mem::replace(&mut self.written[row as usize], true) {
            self.zeroed[row as usize] = true;
        }
    }
}

fn runs(marked: &[bool]) -> Vec<(Row, u32)> {
    let mut runs: Vec<(Row, u32)> = Vec::new();
    for row in (0..marked.len() as u32).filter(|&row| marked[row as usize]) {
        match runs.last_mut() {
            Some((first, n)) if first.0 + *n == row => *n += 1,
            _ => runs.push((Row(row), 1)),
        }
    }
    runs
}

/// The row of derivatives of each row (none if they are the same), and how many
/// rows of derivatives there are.
pub(super) fn place_derivatives(
    ops: &[Op],
    layout: &Layout,
    zeroed: &[(Row, u32)],
    n_evidence_rows: u32,
    keep: Keep,
) -> (Vec<u32>, u32) {
    if !matches!(keep, Keep::Values | Keep::Evidence) {
        return (Vec::new(), layout.n_rows);
    }
    // As rows of values are laid out, seen from the other end: a group of derivatives is
    // needed from the first operation, counted from the last, that flows to it, to the one
    // that defines its values.
    let group_of = group_of_rows(layout);
    let group = |row: Row| group_of[row.0 as usize];
    let mut rows = Rows::new(n_evidence_rows, layout.groups.len());
    let take = |rows: &mut Rows, row: Row| {
        if let Some(group) = group(row) {
            rows.take(group, layout.groups[group].1);
        }
    };
    for &(first, n) in zeroed {
        (first.0..first.0 + n).for_each(|row| take(&mut rows, Row(row)));
    }
    take(&mut rows, layout.root);
    // Posteriors read derivatives of leaves when the pass is over.
    let is_kept = match keep {
        Keep::Evidence => leaf_groups(ops, layout, group),
        Keep::All | Keep::Values | Keep::Choices | Keep::Live => vec![false; layout.groups.len()],
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
    let place = |row: u32| match group(Row(row)) {
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
pub(super) fn relocate_runs(rows: Vec<(Row, u32)>, table: &[u32]) -> Vec<(Row, u32)> {
    if table.is_empty() {
        return rows;
    }
    let single = rows.iter().flat_map(|&(first, n)| first.0..first.0 + n);
    let mut marked: Vec<u32> = single.map(|row| table[row as usize]).collect();
    marked.sort_unstable();
    marked
        .chunk_by(|a, b| a + 1 == *b)
        .map(|run| (Row(run[0]), run.len() as u32))
        .collect()
}

fn group_of_rows(layout: &Layout) -> Vec<Option<usize>> {
    let mut group_of = vec![None; layout.n_rows as usize];
    for (at, &(first, n)) in layout.groups.iter().enumerate() {
        group_of[first.0 as usize..][..n as usize].fill(Some(at));
    }
    group_of
}

/// Which groups have leaves with tables or densities.
fn leaf_groups(ops: &[Op], layout: &Layout, group: impl Fn(Row) -> Option<usize>) -> Vec<bool> {
    let mut has_leaves = vec![false; layout.groups.len()];
    let is_leaf = |op: &&Op| matches!(op, Op::Gather(_) | Op::Density(_));
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
fn ends(ops: &[Op], layout: &Layout, group: impl Fn(Row) -> Option<usize>) -> Vec<Vec<usize>> {
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
