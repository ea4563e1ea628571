//! A lock for a few instructions: a shard of a ledger is held for one look-up.
//! Invariant: a forked child finds it open (`a_child_forked_amid_allocations_goes_on`).
//!
//! Not `std`'s: that one pays a second atomic exchange when it opens, and it cannot be held over a `fork` without its guard.

use core::cell::UnsafeCell;
use core::hint;
use core::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};

/// Looks before a waiting thread lets others run; who holds the lock may wait for our processor.
const PATIENCE: u32 = 64;

#[derive(Debug)]
pub(super) struct Lock<T> {
    held: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: `with` gives the value to one thread at a time.
unsafe impl<T: Send> Sync for Lock<T> {}

/// Opens the lock, also when the closure panicked.
struct Held<'a>(&'a AtomicBool);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}

impl<T> Lock<T> {
    pub(super) const fn new(value: T) -> Self {
        Self { held: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Runs `body` with the value. It must not come back to this lock.
    #[inline]
    pub(super) fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        self.hold();
        let _held = Held(&self.held);
        // SAFETY: the lock is held until `_held` goes, so there is no other reference.
        body(unsafe { &mut *self.value.get() })
    }

    /// Closes the lock and leaves it so.
    #[inline]
    pub(super) fn hold(&self) {
        if self.held.swap(true, Acquire) {
            self.wait();
        }
    }

    /// Opens what `hold` closed.
    pub(super) fn release(&self) {
        self.held.store(false, Release);
    }

    #[cold]
    fn wait(&self) {
        let mut looks = 0;
        while self.held.load(Relaxed) || self.held.swap(true, Acquire) {
            looks += 1;
            if looks % PATIENCE == 0 { std::thread::yield_now() } else { hint::spin_loop() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_at_a_time() {
        static LOCK: Lock<u64> = Lock::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..20_000).for_each(|_| LOCK.with(|value| *value += 1)));
            }
        });
        assert_eq!(LOCK.with(|value| *value), 80_000);
    }

    #[test]
    fn a_panic_opens_it() {
        let lock = Lock::new(1);
        let panicked = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| lock.with(|_| panic!("inside"))));
        assert!(panicked.is_err());
        assert_eq!(lock.with(|value| *value), 1);
    }
}
