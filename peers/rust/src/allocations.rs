//! Counts allocations when asked, and otherwise costs one load of a flag an allocation.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

static COUNTING: AtomicBool = AtomicBool::new(false);
static BYTES: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The system's allocator, with a count of bytes and calls of all threads. A reallocation counts as an allocation of
/// its new size, as in Go.
struct Counting;

/// Bytes and allocations of `action`, in all threads.
pub fn count(action: impl FnOnce()) -> (usize, usize) {
    BYTES.store(0, Relaxed);
    COUNT.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
    action();
    COUNTING.store(false, Relaxed);
    (BYTES.load(Relaxed), COUNT.load(Relaxed))
}

fn note(bytes: usize) {
    if COUNTING.load(Relaxed) {
        BYTES.fetch_add(bytes, Relaxed);
        COUNT.fetch_add(1, Relaxed);
    }
}

// SAFETY: every method passes its arguments to the system's allocator unchanged, whose contract is the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note(new_size);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
