//! Spreads rows over threads.

pub(crate) use pelton_compiler::parallel::map_jobs as spread;

use pelton_compiler::kernel::Real;
use std::ops::Range;

/// Cuts `0..n_rows` into jobs of so many tiles; none if there are no rows.
pub(super) fn jobs<T: Real>(n_rows: usize, n_tiles: usize) -> Vec<Range<usize>> {
    shards(n_rows, T::LANES, n_rows.div_ceil(T::LANES * n_tiles))
}

/// What workers make of each of `0..n_rows`, in jobs of so many tiles.
pub(super) fn map_rows<T: Real, S, R: Send>(
    (n_rows, n_tiles): (usize, usize),
    threads: usize,
    new_worker: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, Range<usize>) -> Vec<R> + Sync,
) -> Vec<R> {
    if n_rows == 0 {
        return Vec::new();
    }
    let work = |worker: &mut S, rows: &Range<usize>| work(worker, rows.clone());
    let parts = spread(&jobs::<T>(n_rows, n_tiles), threads, new_worker, work);
    parts.into_iter().flatten().collect()
}

/// Cuts `0..n_rows` into at most `n_shards` ranges of whole tiles. The cuts
/// depend on nothing else, so results do not depend on the number of threads.
pub(super) fn shards(n_rows: usize, tile: usize, n_shards: usize) -> Vec<Range<usize>> {
    let n_tiles = n_rows.div_ceil(tile);
    let n_shards = n_shards.min(n_tiles);
    let bound = |at: usize| (n_tiles * at / n_shards * tile).min(n_rows);
    (0..n_shards).map(|at| bound(at)..bound(at + 1)).collect()
}
