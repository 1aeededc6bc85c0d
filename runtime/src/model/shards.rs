//! Spreads rows over threads.

use pelton_compiler::parallel::WorkerPools;
use std::ops::Range;

/// The threads on which rows are read, evaluated and counted.
static POOLS: WorkerPools = WorkerPools::new();

/// Cuts `0..n_rows` into at most `n_shards` ranges of whole tiles. The cuts
/// depend on nothing else, so results do not depend on the number of threads.
pub(super) fn shards(n_rows: usize, tile: usize, n_shards: usize) -> Vec<Range<usize>> {
    let n_tiles = n_rows.div_ceil(tile);
    let n_shards = n_shards.min(n_tiles);
    let bound = |at: usize| (n_tiles * at / n_shards * tile).min(n_rows);
    (0..n_shards).map(|at| bound(at)..bound(at + 1)).collect()
}

/// Does all jobs on so many threads (0: one for each core), each worker with a state of
/// its own; results are in the order of the jobs.
pub(crate) fn spread<J: Sync, S, R: Send>(
    jobs: &[J],
    threads: usize,
    new_state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &J) -> R + Sync,
) -> Vec<R> {
    POOLS.map_jobs(jobs, threads, new_state, work)
}
