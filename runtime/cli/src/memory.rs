//! Memory that the system does not give.
//!
//! Rust ends a program whose memory is refused by an abort, which looks like a fault of
//! the program and leaves a core file. To the command it is what a missing file is: a
//! message and exit code 2. Libraries leave the decision to their callers.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The system's allocator, which ends the command where there is no memory.
struct OrMessage;

#[global_allocator]
static ALLOCATOR: OrMessage = OrMessage;

// SAFETY: every call goes to the system's allocator as it came, and what it gives is
// handed on; only null is not, because the process has ended then.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for OrMessage {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        given(unsafe { System.realloc(place, layout, size) }, size)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
}

#[inline]
fn given(place: *mut u8, size: usize) -> *mut u8 {
    if place.is_null() {
        end(size);
    }
    place
}

/// Ends the command. Nothing here takes memory: numbers are written piece by piece.
#[cold]
#[inline(never)]
fn end(size: usize) -> ! {
    let mut out = std::io::stderr();
    // There is nobody else to tell if this cannot be written.
    let _ = writeln!(
        out,
        "pelton: there is not enough memory: the system refused {size} more bytes\n  \
         help: take less at a time (`--chunk-rows`, `--threads 1`), a smaller circuit \
         (`--max-size`), or a machine or limit with more memory"
    );
    std::process::exit(i32::from(crate::exit::Exit::Usage.code()))
}
