//! Compiling the functions of a program on several threads.

use super::CodegenError;
use super::function::{Code, Compiler};
use super::isa::Target;
use super::program::Program;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Functions a thread takes at a time.
const BATCH: usize = 4;

/// Machine code of all functions, in the program's order whatever the number of
/// threads.
pub(super) fn compile_all(
    target: &Target,
    program: &Program,
    threads: usize,
) -> Result<Vec<Code>, CodegenError> {
    let n = program.functions.len();
    let threads = n_threads(threads).min(n.div_ceil(BATCH)).max(1);
    if threads == 1 {
        let mut compiler = Compiler::new(target, program);
        return (0..n).map(|idx| compiler.compile(idx, false)).collect();
    }
    let next = AtomicUsize::new(0);
    let parts = std::thread::scope(|scope| {
        let work = || worker(target, program, &next);
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let workers: Vec<_> = (0..threads).map_while(spawn).collect();
        // Where the system gives no more threads, this one helps those there are.
        let own = (workers.len() < threads).then(|| Ok(work()));
        let parts = workers.into_iter().map(|worker| worker.join());
        parts.chain(own).collect::<Result<Vec<_>, _>>()
    });
    let parts = parts.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let mut all: Vec<_> = parts.into_iter().flatten().collect();
    all.sort_by_key(|&(idx, _)| idx);
    all.into_iter().map(|(_, code)| code).collect()
}

fn n_threads(wanted: usize) -> usize {
    match wanted {
        0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
        n => n,
    }
}

fn worker(
    target: &Target,
    program: &Program,
    next: &AtomicUsize,
) -> Vec<(usize, Result<Code, CodegenError>)> {
    let mut compiler = Compiler::new(target, program);
    let mut done = Vec::new();
    loop {
        let first = next.fetch_add(BATCH, Ordering::Relaxed);
        let batch = first..program.functions.len().min(first + BATCH);
        if batch.is_empty() {
            return done;
        }
        done.extend(batch.map(|idx| (idx, compiler.compile(idx, false))));
    }
}
