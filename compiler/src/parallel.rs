//! Work on several threads, with results that do not depend on how many there are.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// More threads than a machine has use for; pools of more are not made.
const MOST_THREADS: usize = 1024;

/// Rayon pools for one kind of work, one for each number of threads that was asked for; they
/// are made once and live as long as the process.
///
/// The calling thread works as well, so that a pool has one thread less than was asked for.
/// Work that is done while a lock is held needs pools of its own: those of others may be full
/// of work that waits for the lock.
#[derive(Debug)]
pub struct WorkerPools {
    /// By process and size: a fork copies no thread but its own, so that pools that were made
    /// before it would never answer.
    pools: RwLock<BTreeMap<(u32, usize), Arc<ThreadPool>>>,
}

impl WorkerPools {
    /// No pool yet.
    #[allow(clippy::new_without_default, reason = "pools live in statics")]
    pub const fn new() -> Self {
        WorkerPools {
            pools: RwLock::new(BTreeMap::new()),
        }
    }

    /// Does all jobs on so many threads (0: one for each core), each worker with a state of
    /// its own; results are in the order of the jobs. Jobs are taken one after the other by
    /// whoever is free. Where the system gives fewer threads, those there are do all.
    pub fn map_jobs<J: Sync, S, R: Send>(
        &self,
        jobs: &[J],
        threads: usize,
        new_state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &J) -> R + Sync,
    ) -> Vec<R> {
        // What is made once and then shared is made by the first state: here, where no other
        // worker waits for it.
        let mut state = new_state();
        let Some((pool, n_helpers)) = self.helpers(jobs.len(), threads) else {
            return jobs.iter().map(|job| work(&mut state, job)).collect();
        };
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
        pool.in_place_scope(|scope| {
            (0..n_helpers).for_each(|_| scope.spawn(|_| work_on(new_state())));
            work_on(state);
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.into_iter().flatten().collect()
    }

    /// The pool for so many jobs and threads, and how many of its threads have something to
    /// do; none if the calling thread works alone.
    fn helpers(&self, n_jobs: usize, threads: usize) -> Option<(Arc<ThreadPool>, usize)> {
        // A worker that waited for others would meanwhile begin other work of its pool, which
        // may need what this work holds.
        if n_jobs < 2 || rayon::current_thread_index().is_some() {
            return None;
        }
        // Counting cores takes twenty times as long as a row of a tiny circuit.
        let n_helpers = thread_count(threads).min(MOST_THREADS) - 1;
        let pool = self.pool(n_helpers)?;
        Some((pool, n_helpers.min(n_jobs - 1)))
    }

    /// The pool of so many threads, or of as many of them as the system gives.
    ///
    /// Nothing is waited for: a process that was forked while another thread held the lock
    /// would wait for ever. It works alone.
    fn pool(&self, n_threads: usize) -> Option<Arc<ThreadPool>> {
        let key = (std::process::id(), n_threads);
        if let Some(pool) = self.pools.try_read().ok()?.get(&key) {
            return Some(pool.clone());
        }
        let sizes = std::iter::successors(Some(n_threads), |n| Some(n / 2));
        let pool = sizes
            .take_while(|&n| n > 0)
            .find_map(|n| ThreadPoolBuilder::new().num_threads(n).build().ok())?;
        let mut pools = self.pools.try_write().ok()?;
        Some(pools.entry(key).or_insert_with(|| Arc::new(pool)).clone())
    }
}

/// As many threads as asked for; 0 means one for each core.
pub fn thread_count(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static POOLS: WorkerPools = WorkerPools::new();

    fn squares(n: usize, threads: usize) -> Vec<usize> {
        let jobs: Vec<usize> = (0..n).collect();
        POOLS.map_jobs(&jobs, threads, || (), |(), job| job * job)
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
            let lengths = POOLS.map_jobs(&jobs, 3, || (), inner);
            lengths.iter().sum::<usize>() + job
        };
        let found = POOLS.map_jobs(&jobs, 3, || (), outer);
        let wanted: Vec<usize> = (0..20).map(|job| 190 + job).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn callers_on_threads_of_their_own_share_a_pool() {
        static OWN: WorkerPools = WorkerPools::new();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        assert_eq!(OWN.map_jobs(&[1, 2, 3], 4, || (), |(), n| 2 * n), [2, 4, 6]);
                    }
                });
            }
        });
        assert_eq!(OWN.pools.read().unwrap().len(), 1);
    }

    #[test]
    fn panics_reach_the_caller_and_leave_the_pool_whole() {
        let jobs: Vec<usize> = (0..20).collect();
        let caught = std::panic::catch_unwind(|| {
            POOLS.map_jobs(&jobs, 2, || (), |(), job| assert_ne!(*job, 7));
        });
        assert!(caught.is_err());
        assert_eq!(squares(3, 2), [0, 1, 4]);
    }
}
