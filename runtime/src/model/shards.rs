//! Spreads work over threads.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cuts `0..n_rows` into at most `n_shards` ranges of whole tiles. The cuts
/// depend on nothing else, so results do not depend on the number of threads.
pub(super) fn shards(n_rows: usize, tile: usize, n_shards: usize) -> Vec<Range<usize>> {
    let n_tiles = n_rows.div_ceil(tile);
    let n_shards = n_shards.min(n_tiles);
    let bound = |at: usize| (n_tiles * at / n_shards * tile).min(n_rows);
    (0..n_shards).map(|at| bound(at)..bound(at + 1)).collect()
}

/// Does all jobs on so many threads (0: one for each core), each worker with a
/// state of its own; results are in the order of the jobs.
pub(crate) fn spread<J: Sync, S, R: Send>(
    jobs: &[J],
    threads: usize,
    new_state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &J) -> R + Sync,
) -> Vec<R> {
    // Counting cores takes twenty times as long as a row of a tiny circuit.
    let threads = match jobs.len() {
        0 | 1 => 1,
        n => thread_count(threads).min(n),
    };
    if threads == 1 {
        let mut state = new_state();
        return jobs.iter().map(|job| work(&mut state, job)).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<R>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        let worker = || {
            let mut state = new_state();
            while let Some((at, job)) = take(&next, jobs) {
                let result = work(&mut state, job);
                let mut done = done
                    .lock()
                    .expect("no worker panics while it holds the lock");
                done[at] = Some(result);
            }
        };
        let mut wanted = 0..threads;
        if wanted.any(|_| {
            std::thread::Builder::new()
                .spawn_scoped(scope, worker)
                .is_err()
        }) {
            // The system gives no more threads; this one helps those there are.
            worker();
        }
    });
    let done = done.into_inner().expect("all workers have ended");
    done.into_iter().flatten().collect()
}

fn take<'j, J>(next: &AtomicUsize, jobs: &'j [J]) -> Option<(usize, &'j J)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    jobs.get(at).map(|job| (at, job))
}

/// As many threads as asked for; 0 means one for each core.
pub(crate) fn thread_count(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    }
}
