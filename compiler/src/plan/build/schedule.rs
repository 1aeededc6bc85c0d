//! The order of evaluation: depth first, so that what was computed is used soon.

use super::draft::{DraftOp, PlanDraft};
use crate::plan::{ExponentId, PlanRow};

const NOBODY: u32 = u32::MAX;

/// The operations that the root needs, each after what it reads.
///
/// Post-order from the root keeps the rows that are waiting for their use few.
pub(super) fn schedule(
    draft: &mut PlanDraft,
    n_rows: u32,
    n_exponents: u32,
    root_exponent: Option<ExponentId>,
) -> Vec<DraftOp> {
    let providers = Providers::new(&draft.ops, n_rows, n_exponents);
    // The exponent of the root may be defined by an operation that no row leads to.
    let mut starts = Vec::new();
    starts.extend(root_exponent.map(|id| providers.exponents[id.0 as usize]));
    starts.extend(providers.of_row(draft.root));
    let order = post_order(&draft.ops, &providers, &starts);
    let mut ops: Vec<Option<DraftOp>> = std::mem::take(&mut draft.ops)
        .into_iter()
        .map(Some)
        .collect();
    order
        .into_iter()
        .filter_map(|at| ops[at as usize].take())
        .collect()
}

/// Which operation readers of a row or exponent wait for.
struct Providers {
    rows: Vec<u32>,
    exponents: Vec<u32>,
    /// For rows that are rescaled, the operation that computed them.
    computed: Vec<u32>,
}

impl Providers {
    fn new(ops: &[DraftOp], n_rows: u32, n_exponents: u32) -> Self {
        let mut providers = Providers {
            rows: vec![NOBODY; n_rows as usize],
            exponents: vec![NOBODY; n_exponents as usize],
            computed: Vec::new(),
        };
        for (op, at) in ops.iter().zip(0..) {
            op.each_output(|(row, n)| {
                providers.rows[row.0 as usize..][..n as usize].fill(at);
            });
            if let Some(exponent) = op.exponent() {
                providers.exponents[exponent.0 as usize] = at;
            }
        }
        // Readers of a rescaled row wait for the rescaling, which itself waits for the row.
        providers.computed = providers.rows.clone();
        for (op, at) in ops.iter().zip(0..) {
            if is_rescale(op) {
                op.each_input(|(row, n)| {
                    providers.rows[row.0 as usize..][..n as usize].fill(at);
                });
            }
        }
        providers
    }

    fn of_row(&self, row: PlanRow) -> Option<u32> {
        Some(self.rows[row.0 as usize]).filter(|&at| at != NOBODY)
    }

    /// What an operation waits for, without repetition of neighbours.
    fn of(&self, op: &DraftOp, wanted: &mut Vec<u32>) {
        wanted.clear();
        let rows = if is_rescale(op) {
            &self.computed
        } else {
            &self.rows
        };
        op.each_exponent(|id| wanted.push(self.exponents[id.0 as usize]));
        op.each_input(|(row, n)| {
            let of_run = &rows[row.0 as usize..][..n as usize];
            wanted.extend(of_run.iter().filter(|&&at| at != NOBODY));
        });
        wanted.dedup();
    }
}

fn is_rescale(op: &DraftOp) -> bool {
    matches!(op, DraftOp::Whole(crate::plan::PlanOperation::Rescale(_)))
}

/// Without recursion: circuits may be a million levels deep.
fn post_order(ops: &[DraftOp], providers: &Providers, starts: &[u32]) -> Vec<u32> {
    let mut order = Vec::with_capacity(ops.len());
    let mut is_open = vec![false; ops.len()];
    let mut pending: Vec<u32> = Vec::new();
    // Frames: an operation and how much was pending before it was opened.
    let mut frames: Vec<(u32, usize)> = Vec::new();
    let mut wanted = Vec::new();
    for &start in starts {
        pending.push(start);
        frames.push((NOBODY, pending.len() - 1));
        while let Some(&(op, floor)) = frames.last() {
            // All that the operation waits for is done: it is its turn.
            if pending.len() == floor {
                frames.pop();
                if op != NOBODY {
                    order.push(op);
                }
                continue;
            }
            let next = pending.pop().expect("more is pending than the floor");
            // Open or done; plans have no cycles, so that an open one is never waited for.
            if std::mem::replace(&mut is_open[next as usize], true) {
                continue;
            }
            providers.of(&ops[next as usize], &mut wanted);
            // The first input is taken first: it lies deepest in the list of what is pending.
            frames.push((next, pending.len()));
            pending.extend(wanted.iter().rev());
        }
    }
    order
}
