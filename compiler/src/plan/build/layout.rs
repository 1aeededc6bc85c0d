//! Gives every group its final rows.

use super::touch::{each_input, each_output, relocate};
use crate::plan::{PlanOperation, PlanRow};
use std::collections::BTreeMap;

/// Which rows outlive their last use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowRetention {
    /// All, and all derivatives: second looks add them up.
    All,
    /// All, which backward passes and completions read again. Rows of derivatives
    /// are used anew: they are needed from the first use of a unit, seen from the
    /// root, to its operation. Not for generated code.
    Values,
    /// What a backward pass that counts nothing reads again, which inputs of complete
    /// layers are not; and the derivatives by evidence and by leaves with tables or
    /// densities, which posteriors are read from. Other plans stop above the evidence,
    /// because learning needs nothing from there. Not for generated code.
    Evidence,
    /// What sums choose from: completions and samples look again at the inputs of each sum.
    Choices,
    /// None: rows are used anew, so that evaluation stays in the nearest cache.
    Live,
}

/// Where everything lies.
pub(super) struct PlanLayout {
    pub n_rows: u32,
    pub root: PlanRow,
    /// The rows of each group; groups may share them if rows are used anew.
    pub groups: Vec<(PlanRow, u32)>,
    /// The last rows, which groups share that a backward pass does not read. Their
    /// derivatives may lie likewise: they are needed from the same last use on, seen from
    /// the root, to the same operation.
    pub passing: u32,
}

/// Moves all operations from virtual to final rows.
pub(super) fn lay_out(
    ops: &mut [PlanOperation],
    group_sizes: &[u32],
    n_evidence_rows: u32,
    root: PlanRow,
    keep: RowRetention,
) -> PlanLayout {
    // Two pools of rows: those that later passes read again, and behind them those that are
    // shared although the rest is kept.
    let groups = VirtualRowGroups::new(group_sizes, n_evidence_rows);
    let is_passing = match keep {
        RowRetention::Evidence => groups.passing(ops, group_sizes, root),
        RowRetention::Choices => groups.unchosen(ops, root),
        RowRetention::All | RowRetention::Values | RowRetention::Live => {
            vec![false; group_sizes.len()]
        }
    };
    let mut rows = RowAllocator::new(n_evidence_rows, group_sizes.len());
    let mut passing = RowAllocator::new(0, group_sizes.len());
    // In the order of evaluation each group takes the first free run that is long enough, when
    // it is defined, and gives it back after its last use.
    let last_use = groups.last_use(ops, root);
    for (op, at) in ops.iter().zip(0..) {
        each_output(op, |(row, _)| {
            if let Some(group) = groups.of(row) {
                if is_passing[group] {
                    passing.take(group, group_sizes[group])
                } else {
                    rows.take(group, group_sizes[group])
                }
            }
        });
        for &group in &last_use[at] {
            if keep == RowRetention::Live {
                rows.release(group, group_sizes[group]);
            }
            passing.release(group, group_sizes[group]);
        }
    }
    // Both pools are as large as they become; the second one begins where the first ends.
    let place = |row: PlanRow| match groups.of(row) {
        Some(group) => {
            let shared = passing.starts[group].map(|start| rows.next + start);
            let start = rows.starts[group].or(shared);
            let start = start.expect("rows are defined before they are read");
            PlanRow(start + row.0 - groups.bases[group])
        }
        None => row,
    };
    ops.iter_mut().for_each(|op| relocate(op, place));
    let starts = rows.starts.iter().zip(group_sizes);
    PlanLayout {
        n_rows: rows.next + passing.next,
        root: place(root),
        groups: starts
            .filter_map(|(start, &size)| Some((PlanRow((*start)?), size)))
            .collect(),
        passing: passing.next,
    }
}

/// Virtual rows by group.
struct VirtualRowGroups {
    bases: Vec<u32>,
}

impl VirtualRowGroups {
    fn new(sizes: &[u32], n_evidence_rows: u32) -> Self {
        let mut next = n_evidence_rows;
        let bases = sizes.iter().map(|size| {
            next += size;
            next - size
        });
        VirtualRowGroups {
            bases: bases.collect(),
        }
    }

    /// The group of a virtual row; none for evidence.
    fn of(&self, row: PlanRow) -> Option<usize> {
        self.bases
            .partition_point(|&base| base <= row.0)
            .checked_sub(1)
    }

    /// Which groups are the input of one complete layer and nothing else. Leaves are
    /// not among them: posteriors are read from their rows.
    fn passing(&self, ops: &[PlanOperation], sizes: &[u32], root: PlanRow) -> Vec<bool> {
        let mut n_readers = vec![0_u32; sizes.len()];
        let mut is_barred = vec![false; sizes.len()];
        let mut bar = |row: PlanRow| {
            if let Some(group) = self.of(row) {
                is_barred[group] = true;
            }
        };
        bar(root);
        for op in ops {
            match op {
                PlanOperation::Dense(op) => match self.of(op.input) {
                    Some(group) if sizes[group] == op.n_in => n_readers[group] += 1,
                    _ => bar(op.input),
                },
                PlanOperation::Rescale(_) => {}
                PlanOperation::Gather(_) | PlanOperation::Density(_) => {
                    each_output(op, |(row, _)| bar(row))
                }
                PlanOperation::Sparse(_)
                | PlanOperation::Product(_)
                | PlanOperation::AddExponents(_) => {
                    each_input(op, |(row, _)| bar(row));
                }
            }
        }
        let pairs = n_readers.into_iter().zip(is_barred);
        pairs.map(|(n, is_barred)| n == 1 && !is_barred).collect()
    }

    /// Which groups no sum reads.
    fn unchosen(&self, ops: &[PlanOperation], root: PlanRow) -> Vec<bool> {
        let mut is_unchosen = vec![true; self.bases.len()];
        let mut bar = |row: PlanRow| {
            if let Some(group) = self.of(row) {
                is_unchosen[group] = false;
            }
        };
        bar(root);
        let is_sum =
            |op: &&PlanOperation| matches!(op, PlanOperation::Dense(_) | PlanOperation::Sparse(_));
        for op in ops.iter().filter(is_sum) {
            each_input(op, |(row, _)| bar(row));
        }
        is_unchosen
    }

    /// For each operation the groups that nobody needs after it.
    fn last_use(&self, ops: &[PlanOperation], root: PlanRow) -> Vec<Vec<usize>> {
        let mut is_done = vec![false; self.bases.len()];
        if let Some(root) = self.of(root) {
            is_done[root] = true;
        }
        let mut last_use = vec![Vec::new(); ops.len()];
        // Seen from the end, the first operation that mentions a group is the last to use it.
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

pub(super) struct RowAllocator {
    next: u32,
    /// Free runs by their first row.
    free: BTreeMap<u32, u32>,
    starts: Vec<Option<u32>>,
}

impl RowAllocator {
    /// Rows from `first` on, for so many groups.
    pub fn new(first: u32, n_groups: usize) -> Self {
        RowAllocator {
            next: first,
            free: BTreeMap::new(),
            starts: vec![None; n_groups],
        }
    }

    /// Where a group lies.
    pub fn start(&self, group: usize) -> Option<u32> {
        self.starts[group]
    }

    /// How many rows there are in all.
    pub fn n_rows(&self) -> u32 {
        self.next
    }

    /// Gives a group rows, unless it has some.
    pub fn take(&mut self, group: usize, size: u32) {
        if self.starts[group].is_some() {
            return;
        }
        // First fit, from the lowest row on: what is used again soon lies close together.
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

    /// Takes the rows of a group back; it keeps its place.
    pub fn release(&mut self, group: usize, size: u32) {
        let Some(mut start) = self.starts[group] else {
            return;
        };
        // Runs that touch are one run, so that large groups find room again.
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
