//! Evaluating again and again takes no new buffers.
//!
//! Alone in its program, because it counts what the whole program allocates.

use pelton::{Batch, Options};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, which counts bytes.
struct Counting;

// SAFETY: everything is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn evaluation_allocates_next_to_nothing() {
    let text = "var x[0..40] : bool; var y : real;
        node part[k in 0..3] = y ~ normal(k, 1) * prod i in 0..40 { x[i] ~ bernoulli(0.2 + 0.2 * k) };
        root 0.2: part[0] + 0.3: part[1] + 0.5: part[2];";
    let circuit = Options::new().threads(1).compile(text).unwrap();
    let rows = circuit.sample(3_000, 1, "").unwrap().values;
    let mut logs = vec![0.0; 3_000];
    let mut last = usize::MAX;
    for _ in 0..3 {
        let before = ALLOCATED.load(Ordering::Relaxed);
        let batch = Batch::new(&rows, 3_000, 41);
        circuit.log_likelihood_into(&batch, &mut logs).unwrap();
        last = ALLOCATED.load(Ordering::Relaxed) - before;
    }
    // A list of a few jobs; the rows themselves are a megabyte.
    assert!(last < 2_000, "{last} bytes");
}
