//! Work on several threads, with results that do not depend on how many there are.
//!
//! Threads are those of rayon pools that are kept for the next call. A call has a pool to
//! itself, so that it never waits for the work of others, which may in turn wait for a lock
//! that the caller holds. The calling thread works as well.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// More threads than a machine has use for; pools of more are not made.
const MOST_THREADS: usize = 1024;

/// Pools of one size that are kept while nobody uses them.
const MOST_IDLE: usize = 16;

/// Does all jobs on so many threads (0: one for each core), each worker with a state of its
/// own; results are in the order of the jobs. Jobs are taken one after the other by whoever
/// is free. Where the system gives fewer threads, those there are do all.
pub fn map_jobs<J: Sync, S, R: Send>(
    jobs: &[J],
    threads: usize,
    new_state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &J) -> R + Sync,
) -> Vec<R> {
    // What is made once and then shared is made by the first state: here, where no other
    // worker waits for it.
    let mut state = new_state();
    let Some((borrowed, n_helpers)) = helpers(jobs.len(), threads) else {
        return jobs.iter().map(|job| work(&mut state, job)).collect();
    };
    // Whoever is free takes the next job; where its result belongs is known by its number.
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<R>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    let work_on = |mut state: S| {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(job) = jobs.get(at)
        {
            let result = work(&mut state, job);
            done.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(result);
        }
    };
    borrowed.pool().in_place_scope(|scope| {
        (0..n_helpers).for_each(|_| scope.spawn(|_| work_on(new_state())));
        work_on(state);
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_iter().flatten().collect()
}

/// As many threads as asked for; 0 means one for each core.
pub fn thread_count(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    }
}

/// A pool for so many jobs and threads, and how many of its threads have something to do;
/// none if the calling thread works alone.
fn helpers(n_jobs: usize, threads: usize) -> Option<(BorrowedPool, usize)> {
    // A worker of a pool that waited for others would meanwhile begin other work of its pool,
    // which may need what this work holds.
    if n_jobs < 2 || rayon::current_thread_index().is_some() {
        return None;
    }
    // Counting cores takes twenty times as long as a row of a tiny circuit.
    let n_helpers = thread_count(threads).min(MOST_THREADS) - 1;
    let borrowed = BorrowedPool::take(n_helpers)?;
    Some((borrowed, n_helpers.min(n_jobs - 1)))
}

/// The process that a pool belongs to, and its threads. A fork copies no thread but its own,
/// so that pools that were made before it would never answer.
type PoolKey = (u32, usize);

static IDLE: Mutex<BTreeMap<PoolKey, Vec<ThreadPool>>> = Mutex::new(BTreeMap::new());

/// A pool that no other call uses; it goes back to the others at the end.
struct BorrowedPool {
    key: PoolKey,
    pool: Option<ThreadPool>,
}

impl BorrowedPool {
    /// A pool of so many threads, or of as many of them as the system gives.
    fn take(n_threads: usize) -> Option<Self> {
        let key = (std::process::id(), n_threads);
        let idle = (n_threads > 0).then(idle).flatten();
        let pool = idle.and_then(|mut idle| idle.get_mut(&key)?.pop());
        let pool = pool.or_else(|| {
            // Half as many threads, and half of that, until the system gives them.
            let sizes = std::iter::successors(Some(n_threads), |n| Some(n / 2));
            let mut sizes = sizes.take_while(|&n| n > 0);
            sizes.find_map(|n| ThreadPoolBuilder::new().num_threads(n).build().ok())
        });
        pool.map(|pool| BorrowedPool {
            key,
            pool: Some(pool),
        })
    }

    fn pool(&self) -> &ThreadPool {
        self.pool.as_ref().expect("there until it is dropped")
    }
}

impl Drop for BorrowedPool {
    fn drop(&mut self) {
        if let Some(mut idle) = idle() {
            let own = idle.entry(self.key).or_default();
            if own.len() < MOST_IDLE {
                own.extend(self.pool.take());
            }
        }
    }
}

/// The pools that nobody uses, if nobody looks at them for long. They are held for some
/// instructions only, unless the process was forked just then: the thread that holds them is
/// not in this process.
fn idle() -> Option<MutexGuard<'static, BTreeMap<PoolKey, Vec<ThreadPool>>>> {
    (0..1000).find_map(|_| match IDLE.try_lock() {
        Ok(idle) => Some(idle),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            std::thread::yield_now();
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(n: usize, threads: usize) -> Vec<usize> {
        let jobs: Vec<usize> = (0..n).collect();
        map_jobs(&jobs, threads, || (), |(), job| job * job)
    }

    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        for n in [0, 1, 2, 3, 100] {
            let wanted: Vec<usize> = (0..n).map(|job| job * job).collect();
            for threads in [0, 1, 2, 5, 100] {
                assert_eq!(squares(n, threads), wanted, "{n} jobs, {threads} threads");
            }
        }
    }

    #[test]
    fn calls_may_be_nested() {
        let jobs: Vec<usize> = (0..20).collect();
        let inner = |(): &mut (), n: &usize| squares(*n, 3).len();
        let outer = |(): &mut (), job: &usize| {
            let lengths = map_jobs(&jobs, 3, || (), inner);
            lengths.iter().sum::<usize>() + job
        };
        let found = map_jobs(&jobs, 3, || (), outer);
        let wanted: Vec<usize> = (0..20).map(|job| 190 + job).collect();
        assert_eq!(found, wanted);
    }

    /// A lock that one caller holds while others, in as many workers, wait for it.
    #[test]
    fn work_that_waits_for_a_caller_keeps_nobody_from_working() {
        let shared = std::sync::OnceLock::new();
        let needed = |(): &mut (), job: &usize| *shared.get_or_init(|| squares(20, 4).len()) + job;
        let jobs: Vec<usize> = (0..50).collect();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let found = map_jobs(&jobs, 4, || (), needed);
                    assert!(found.into_iter().eq(20..70));
                });
            }
        });
        let idle = idle().unwrap();
        let own = idle.iter().find(|(key, _)| key.1 == 3);
        assert!(own.is_some_and(|(_, pools)| (1..=MOST_IDLE).contains(&pools.len())));
    }

    #[test]
    fn panics_reach_the_caller_and_leave_the_pool_whole() {
        let jobs: Vec<usize> = (0..20).collect();
        let caught = std::panic::catch_unwind(|| {
            map_jobs(&jobs, 2, || (), |(), job| assert_ne!(*job, 7));
        });
        assert!(caught.is_err());
        assert_eq!(squares(3, 2), [0, 1, 4]);
    }
}
