//! Mutual information of all pairs of columns.

use super::InformationMatrix;
use super::joint::{Countable, JointCounts};
use crate::data::Table;
use crate::model::spread;
use std::borrow::Cow;
use std::ops::Range;

/// Columns on each side of a block of pairs: few enough for their bits to stay in
/// the second-level cache.
const TILE: usize = 16;

/// How pairs are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InformationOptions {
    /// What each of the four cells of a pair of binary columns starts with. A pair
    /// of other columns starts with as much in total, in equal parts.
    pub pseudocount: f64,
    /// Number of threads; 0 means one for each core.
    pub threads: usize,
}

impl Default for InformationOptions {
    fn default() -> Self {
        InformationOptions {
            pseudocount: 0.1,
            threads: 0,
        }
    }
}

/// The mutual information of all pairs of columns of a table, in nats; rows count
/// as much as their weights say, or alike.
///
/// Each pair is counted over the rows in which both cells are observed; a column
/// that is constant where it is observed tells nothing. Marginals are those of the
/// joint counts with their pseudocounts, so that nothing is below zero.
///
/// Values that no row has do not count as values. Numbers are cut into 8 bins of
/// about equally many rows, and so are domains of which more than 64 values occur,
/// in their order; fewer different numbers are values as they are. A soft cell
/// counts as its likeliest value, and noise on the table is left out.
///
/// The result does not depend on the number of threads.
///
/// # Panics
/// If weights are given and there are not as many as rows.
pub fn information(
    table: &Table,
    weights: Option<&[f64]>,
    options: &InformationOptions,
) -> InformationMatrix {
    let (table, weights) = counted_rows(table, weights);
    let weights = weights.as_deref();
    // 1. Columns as few values, with a bit for each row where that is worth it.
    let (n_rows, threads) = (table.n_rows(), options.threads);
    let countable = |(): &mut (), column: &_| Countable::new(column, n_rows, weights);
    let columns = spread(table.columns(), threads, || (), countable);
    // 2. Blocks of pairs, whose columns stay in a cache.
    let pseudocount = options.pseudocount.max(0.0);
    let blocks = blocks(columns.len());
    let of_block = |joint: &mut JointCounts, block: &ColumnPairBlock| -> Vec<f64> {
        let pairs = block.pairs().map(|(i, j)| (&columns[i], &columns[j]));
        let found = pairs.map(|pair| joint.information(pair, weights, pseudocount));
        found.collect()
    };
    let found = spread(&blocks, threads, JointCounts::default, of_block);
    let mut all = InformationMatrix::from_fn(columns.len(), |_, _| 0.0);
    for (block, found) in blocks.iter().zip(found) {
        let pairs = block.pairs().zip(found);
        pairs.for_each(|((i, j), value)| all.set(i, j, value));
    }
    all
}

/// Rows with what they weigh.
type CountedRows<'a> = (Cow<'a, Table>, Option<Cow<'a, [f64]>>);

/// The rows that weigh anything: what only others hold was not seen.
fn counted_rows<'a>(table: &'a Table, weights: Option<&'a [f64]>) -> CountedRows<'a> {
    let Some(all) = weights else {
        return (Cow::Borrowed(table), None);
    };
    assert_eq!(all.len(), table.n_rows(), "a weight for each row");
    if all.iter().all(|&weight| weight > 0.0) {
        return (Cow::Borrowed(table), Some(Cow::Borrowed(all)));
    }
    let rows = (0..all.len() as u32).filter(|&row| all[row as usize] > 0.0);
    let rows: Vec<u32> = rows.collect();
    let weights = rows.iter().map(|&row| all[row as usize]).collect();
    (Cow::Owned(table.gather(&rows)), Some(Cow::Owned(weights)))
}

/// Pairs of columns that are counted together.
struct ColumnPairBlock {
    first: Range<usize>,
    second: Range<usize>,
}

impl ColumnPairBlock {
    /// The pairs, each once and the smaller index first.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.first.clone().flat_map(|i| {
            let from = self.second.start.max(i + 1);
            (from..self.second.end).map(move |j| (i, j))
        })
    }
}

fn blocks(n_columns: usize) -> Vec<ColumnPairBlock> {
    let tile = |from: usize| from..(from + TILE).min(n_columns);
    let starts = || (0..n_columns).step_by(TILE);
    let pairs = starts().flat_map(|first| {
        let seconds = starts().filter(move |&second| second >= first);
        seconds.map(move |second| (first, second))
    });
    let block = |(first, second)| ColumnPairBlock {
        first: tile(first),
        second: tile(second),
    };
    pairs.map(block).collect()
}
