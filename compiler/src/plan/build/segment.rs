//! Gathers sums that follow each other into segments.

use super::draft::{DraftOp, DraftSum};
use crate::plan::{PlanOperation, SparseSegment};
use rustc_hash::FxHashMap;

/// Replaces runs of single sums by segments of up to so many terms.
pub(super) fn segment(ops: Vec<DraftOp>, max_terms: usize) -> Vec<PlanOperation> {
    let mut segmented = Vec::new();
    let mut sums: Vec<DraftSum> = Vec::new();
    let mut n_terms = 0;
    for op in ops {
        match op {
            DraftOp::Sum(sum) => {
                // A segment ends where the code of one more sum would be too much for a
                // cache.
                let own = sum.n_terms();
                if n_terms > 0 && n_terms + own > max_terms {
                    segmented.push(seal(std::mem::take(&mut sums)));
                    n_terms = 0;
                }
                n_terms += own;
                sums.push(sum);
            }
            DraftOp::Whole(op) => {
                if !sums.is_empty() {
                    segmented.push(seal(std::mem::take(&mut sums)));
                    n_terms = 0;
                }
                segmented.push(op);
            }
        }
    }
    if !sums.is_empty() {
        segmented.push(seal(sums));
    }
    segmented
}

impl DraftSum {
    fn n_terms(&self) -> usize {
        self.factors.len() / self.arity as usize
    }
}

/// Orders the sums of a segment so that equal shapes follow each other, each
/// still after those it uses, and writes them down.
fn seal(sums: Vec<DraftSum>) -> PlanOperation {
    let levels = levels(&sums);
    let mut order: Vec<usize> = (0..sums.len()).collect();
    order.sort_by_key(|&at| (levels[at], sums[at].arity, sums[at].n_terms()));
    let shape = |at: usize| (sums[at].n_terms() as u32, sums[at].arity);
    let mut words = Vec::new();
    for run in order.chunk_by(|&a, &b| shape(a) == shape(b)) {
        let (n_terms, arity) = shape(run[0]);
        words.extend([n_terms, arity, run.len() as u32]);
        for &at in run {
            words.extend([sums[at].out.0, sums[at].weights.0]);
            words.extend_from_slice(&sums[at].factors);
        }
    }
    PlanOperation::Sparse(SparseSegment {
        words: words.into(),
        n_sums: sums.len() as u32,
        n_terms: sums.iter().map(|sum| sum.n_terms() as u32).sum(),
    })
}

/// How many sums of the segment must come before each.
fn levels(sums: &[DraftSum]) -> Vec<u32> {
    let mut level_of: FxHashMap<u32, u32> = FxHashMap::default();
    let mut levels = Vec::with_capacity(sums.len());
    for sum in sums {
        let below = sum.factors.iter().filter_map(|row| level_of.get(row));
        let level = below.max().map_or(0, |level| level + 1);
        level_of.insert(sum.out.0, level);
        levels.push(level);
    }
    levels
}
