//! Lets a test make any entry point panic; in every other build it is nothing.

#[cfg(not(test))]
#[inline(always)]
pub(crate) fn point(_symbol: &'static str) {}

#[cfg(test)]
pub(crate) use testing::point;

#[cfg(test)]
pub(crate) mod testing {
    use std::cell::Cell;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    thread_local! {
        static ARMED: Cell<Option<&'static str>> = const { Cell::new(None) };
    }

    /// Panics if this entry point is armed on this thread.
    pub(crate) fn point(symbol: &'static str) {
        if ARMED.get() == Some(symbol) {
            panic!("injected into {symbol}");
        }
    }

    /// Arms an entry point, or none, on this thread.
    pub(crate) fn arm(symbol: Option<&'static str>) {
        ARMED.set(symbol);
    }

    /// Keeps tests apart that look at the failures of the whole device.
    pub(crate) fn device_alone() -> MutexGuard<'static, ()> {
        static ALONE: Mutex<()> = Mutex::new(());
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
