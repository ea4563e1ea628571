//! The streams that live, so that the end of a recording finds their launches.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use super::stream::Inner;

static LIVE: Mutex<Vec<Weak<Inner>>> = Mutex::new(Vec::new());
/// Recordings so far: a launch of an earlier one is not told in a later one.
static EPOCH: AtomicU32 = AtomicU32::new(0);

/// A thread holds its stream for some calls of the driver; one that panicked in them is waited for in vain.
const TRIES: usize = 10;

/// Which recording this is.
pub(super) fn epoch() -> u32 {
    EPOCH.load(Relaxed)
}

pub(super) fn add(stream: Weak<Inner>) {
    let mut live = all();
    live.retain(|known| known.strong_count() > 0);
    live.push(stream);
}

/// The recording ends: tells the launches that are complete, and gives up on the others. Never waits for a device.
pub(crate) fn finish() {
    // Collected first: the last owner of a stream may let go of it meanwhile.
    let live: Vec<_> = all().iter().filter_map(Weak::upgrade).collect();
    for stream in live {
        for _ in 0..TRIES {
            if stream.try_give_up() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    EPOCH.fetch_add(1, Relaxed);
}

fn all() -> MutexGuard<'static, Vec<Weak<Inner>>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While the process forks, so that the child does not inherit the lock from a thread that it does not have.
pub(crate) struct Frozen(MutexGuard<'static, Vec<Weak<Inner>>>);

/// Waits until no thread is at the list.
pub(crate) fn freeze() -> Frozen {
    Frozen(all())
}

impl Frozen {
    /// In a forked child: streams are the parent's.
    pub(crate) fn forget_all(&mut self) {
        core::mem::forget(core::mem::take(&mut *self.0));
        EPOCH.fetch_add(1, Relaxed);
    }
}
