//! Counts what passes through the allocator: of the calling thread, and of the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::calls::{finish, set_up};
use crate::names::{Case, Failing, Variant};
use crate::subject::Subject;

/// Calls whose allocations are counted, in batches that a ring holds easily.
const BATCHES: u32 = 20;
const BATCH: u32 = 1_000;

/// What must not allocate: in the caller's thread or any other, once the first batch is through.
const NEVER: [(&str, Variant, Case); 8] = [
    ("basic_2", Variant::Basic, Case::Two),
    ("basic_8", Variant::Basic, Case::Eight),
    ("rejected_off", Variant::Off, Case::Fails(Failing::Rejected)),
    ("error_off", Variant::Off, Case::Fails(Failing::Error)),
    ("inner_error_off", Variant::Off, Case::Fails(Failing::Inner)),
    ("rejected_basic", Variant::Basic, Case::Fails(Failing::Rejected)),
    ("error_basic", Variant::Basic, Case::Fails(Failing::Error)),
    ("inner_error_basic", Variant::Basic, Case::Fails(Failing::Inner)),
];
/// The standard library allocates what is thrown.
const PANICS: [(&str, Variant, Case); 2] = [
    ("panic_off", Variant::Off, Case::Fails(Failing::Panic)),
    ("panic_basic", Variant::Basic, Case::Fails(Failing::Panic)),
];

/// Prints `name value limit` lines.
pub(crate) fn print() -> Result<(), Box<dyn Error>> {
    for (name, variant, case) in NEVER {
        measure(name, variant, case, "0")?;
    }
    // The default hook writes each panic to standard error.
    std::panic::set_hook(Box::new(|_| {}));
    for (name, variant, case) in PANICS {
        measure(name, variant, case, "-")?;
    }
    Ok(())
}

fn measure(name: &str, variant: Variant, case: Case, limit: &str) -> Result<(), Box<dyn Error>> {
    let subject = Subject::choose(variant, case)?;
    let guard = set_up(variant)?;
    let mut before = so_far();
    for round in 0..=BATCHES {
        if round == 1 {
            before = so_far();
        }
        if subject.batch(BATCH) > 0 {
            return Err(format!("{name}: a call returned another code than it should").into());
        }
        if !guard.flush(Duration::from_secs(10)) {
            return Err("the collector did not write a batch within ten seconds".into());
        }
    }
    let after = so_far();
    let calls = f64::from(BATCHES * BATCH);
    for (place, before, after) in [("caller", before.caller, after.caller), ("process", before.process, after.process)]
    {
        println!("allocations_{name}_{place} {:.3} {limit}", (after - before) as f64 / calls);
    }
    let recorded = if matches!(variant, Variant::Off) { 0 } else { (BATCHES + 1) * BATCH };
    finish(guard, recorded.into())
}

/// Allocations so far.
#[derive(Clone, Copy)]
struct Count {
    /// Made by this thread.
    caller: u64,
    /// Made by every thread, this one included.
    process: u64,
}

fn so_far() -> Count {
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
