//! The rings of all threads, for the collector to find.

use core::sync::atomic::{
    AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ring::Ring;

/// 1 MiB: some 12,000 spans, eight milliseconds at 1.5 million a second; the collector looks every half millisecond.
pub(crate) const DEFAULT_RING_BYTES: usize = 1 << 20;

static RINGS: Mutex<Vec<Arc<Ring>>> = Mutex::new(Vec::new());
static ADDED: AtomicUsize = AtomicUsize::new(0);
static RING_BYTES: AtomicUsize = AtomicUsize::new(DEFAULT_RING_BYTES);

fn all() -> MutexGuard<'static, Vec<Arc<Ring>>> {
    RINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Size of the rings made from now on.
pub(crate) fn set_bytes(bytes: usize) {
    RING_BYTES.store(bytes, Relaxed);
}

/// A ring for a thread. `None` when there is no memory.
pub(crate) fn make(thread: u32, name: String) -> Option<Arc<Ring>> {
    Ring::new(RING_BYTES.load(Relaxed) / 8, thread, name).map(Arc::new)
}

/// Shows a ring to the collector.
pub(crate) fn add(ring: Arc<Ring>) {
    all().push(ring);
    ADDED.fetch_add(1, Release);
}

/// How many were ever added: unchanged means that `list` is, too.
pub(crate) fn added() -> usize {
    ADDED.load(Acquire)
}

/// The rings that are still in use.
pub(crate) fn list() -> Vec<Arc<Ring>> {
    all().clone()
}

/// While the process forks, so that the child does not inherit the lock from a thread that it does not have.
pub(crate) struct Frozen(MutexGuard<'static, Vec<Arc<Ring>>>);

/// Waits until no thread is at the list.
pub(crate) fn freeze() -> Frozen {
    Frozen(all())
}

impl Frozen {
    /// In a forked child: the parent's records are the parent's.
    pub(crate) fn forget_all(&mut self) {
        core::mem::forget(core::mem::take(&mut *self.0));
    }
}

/// Lets the drained ring of an ended thread go.
pub(crate) fn forget(thread: u32) {
    all().retain(|ring| ring.thread != thread);
}
