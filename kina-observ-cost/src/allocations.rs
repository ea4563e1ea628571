//! Counts what passes through the allocator: of the calling thread, and of the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Allocations so far.
#[derive(Clone, Copy)]
pub(crate) struct Count {
    /// Made by this thread.
    pub(crate) caller: u64,
    /// Made by every thread, this one included.
    pub(crate) process: u64,
}

pub(crate) fn so_far() -> Count {
    Count { caller: CALLER.get(), process: PROCESS.load(Relaxed) }
}

thread_local! {
    static CALLER: Cell<u64> = const { Cell::new(0) };
}
static PROCESS: AtomicU64 = AtomicU64::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is handed to `System` unchanged; the counters allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps `GlobalAlloc`'s promises, which are `System`'s.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as in `alloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as in `alloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn count() {
    PROCESS.fetch_add(1, Relaxed);
    CALLER.set(CALLER.get() + 1);
}
