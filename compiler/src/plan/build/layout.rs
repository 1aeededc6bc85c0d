//! Gives every group its final rows.

use super::touch::{each_input, each_output, relocate};
use crate::plan::{Flow, Op, Row};
use std::collections::BTreeMap;

/// Which rows outlive their last use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// All: backward passes and completions read them again.
    All,
    /// None: rows are used anew, so that evaluation stays in the nearest cache.
    Live,
}

/// Moves all operations from virtual to final rows; returns the number of rows
/// and the root's.
pub(super) fn lay_out(
    ops: &mut [Op],
    group_sizes: &[u32],
    n_evidence_rows: u32,
    root: Row,
    keep: Keep,
) -> (u32, Row) {
    let groups = Groups::new(group_sizes, n_evidence_rows);
    let mut rows = Rows {
        next: n_evidence_rows,
        free: BTreeMap::new(),
        starts: vec![None; group_sizes.len()],
    };
    let last_use = groups.last_use(ops, root);
    for (op, at) in ops.iter().zip(0..) {
        each_output(op, |(row, _)| {
            if let Some(group) = groups.of(row) {
                rows.take(group, group_sizes[group]);
            }
        });
        if keep == Keep::Live {
            for &group in &last_use[at] {
                rows.release(group, group_sizes[group]);
            }
        }
    }
    let place = |row: Row| match groups.of(row) {
        Some(group) => {
            let start = rows.starts[group].expect("rows are defined before they are read");
            Row(start + row.0 - groups.bases[group])
        }
        None => row,
    };
    ops.iter_mut().for_each(|op| relocate(op, place));
    (rows.next, place(root))
}

/// Virtual rows by group.
struct Groups {
    bases: Vec<u32>,
}

impl Groups {
    fn new(sizes: &[u32], n_evidence_rows: u32) -> Self {
        let mut next = n_evidence_rows;
        let bases = sizes.iter().map(|size| {
            next += size;
            next - size
        });
        Groups {
            bases: bases.collect(),
        }
    }

    /// The group of a virtual row; none for evidence.
    fn of(&self, row: Row) -> Option<usize> {
        self.bases
            .partition_point(|&base| base <= row.0)
            .checked_sub(1)
    }

    /// For each operation the groups that nobody needs after it.
    fn last_use(&self, ops: &[Op], root: Row) -> Vec<Vec<usize>> {
        let mut is_done = vec![false; self.bases.len()];
        if let Some(root) = self.of(root) {
            is_done[root] = true;
        }
        let mut last_use = vec![Vec::new(); ops.len()];
        for (at, op) in ops.iter().enumerate().rev() {
            let mut see = |(row, _)| {
                if let Some(group) = self.of(row)
                    && !std::mem::replace(&mut is_done[group], true)
                {
                    last_use[at].push(group);
                }
            };
            each_input(op, &mut see);
            each_output(op, &mut see);
        }
        last_use
    }
}

struct Rows {
    next: u32,
    /// Free runs by their first row.
    free: BTreeMap<u32, u32>,
    starts: Vec<Option<u32>>,
}

impl Rows {
    fn take(&mut self, group: usize, size: u32) {
        if self.starts[group].is_some() {
            return;
        }
        let found = self.free.iter().find(|(_, len)| **len >= size);
        let start = match found.map(|(&start, &len)| (start, len)) {
            Some((start, len)) => {
                self.free.remove(&start);
                if len > size {
                    self.free.insert(start + size, len - size);
                }
                start
            }
            None => {
                self.next += size;
                self.next - size
            }
        };
        self.starts[group] = Some(start);
    }

    fn release(&mut self, group: usize, size: u32) {
        let Some(mut start) = self.starts[group] else {
            return;
        };
        let mut len = size;
        if let Some(after) = self.free.remove(&(start + len)) {
            len += after;
        }
        if let Some((&before, &before_len)) = self.free.range(..start).next_back()
            && before + before_len == start
        {
            start = before;
            len += before_len;
        }
        self.free.insert(start, len);
    }
}

/// Decides which operation sets the derivatives of a row and which ones add to
/// them; returns the runs of rows that have to start at zero.
pub(super) fn direct_flows(
    ops: &mut [Op],
    n_rows: u32,
    n_evidence_rows: u32,
    root: Row,
) -> Vec<(Row, u32)> {
    let mut flows = Flows {
        written: vec![false; n_rows as usize],
        zeroed: vec![false; n_rows as usize],
        n_evidence_rows,
    };
    flows.written[root.0 as usize] = true;
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
    }
    runs(&flows.zeroed)
}

struct Flows {
    written: Vec<bool>,
    zeroed: Vec<bool>,
    n_evidence_rows: u32,
}

impl Flows {
    fn direct(&mut self, first: Row, n: u32) -> Flow {
        if first.0 < self.n_evidence_rows {
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
