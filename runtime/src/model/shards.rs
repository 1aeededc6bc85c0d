//! Spreads rows over threads.

pub(crate) use pelton_compiler::parallel::map_jobs as spread;

use std::ops::Range;

/// Cuts `0..n_rows` into at most `n_shards` ranges of whole tiles. The cuts
/// depend on nothing else, so results do not depend on the number of threads.
pub(super) fn shards(n_rows: usize, tile: usize, n_shards: usize) -> Vec<Range<usize>> {
    let n_tiles = n_rows.div_ceil(tile);
    let n_shards = n_shards.min(n_tiles);
    let bound = |at: usize| (n_tiles * at / n_shards * tile).min(n_rows);
    (0..n_shards).map(|at| bound(at)..bound(at + 1)).collect()
}
