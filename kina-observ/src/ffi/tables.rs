//! All handle tables of this library, so that a fork waits until none of them is in use: the child may use them.
//! Invariant: a child forked while other threads use handles can use them too
//! (`a_thousand_children_of_a_tracing_process_trace_for_themselves`).

use core::cell::Cell;
use core::mem::ManuallyDrop;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Instant;

use crate::errno::KeepErrno;
use crate::first::{First, Turn};

/// A table's lock, held.
pub(super) trait Held {}

impl<T> Held for MutexGuard<'static, T> {}

/// A table, whatever it holds.
pub(super) trait Table: Sync {
    /// Its lock, if nobody has it.
    fn try_freeze(&'static self) -> Option<Box<dyn Held>>;
}

static TABLES: Mutex<Vec<&'static dyn Table>> = Mutex::new(Vec::new());

/// Nobody holds one of these locks longer than it takes to find a value, except a thread that was interrupted and forks
/// itself: that child must not use handles.
const PATIENCE: Duration = Duration::from_secs(1);

/// Before a table's lock is taken for the first time; `known` says that it was added.
pub(super) fn add(table: &'static dyn Table, known: &AtomicBool) {
    if known.load(Relaxed) {
        return;
    }
    static WATCHED: First = First::new();
    if let Turn::Mine(_watching) = WATCHED.turn(PATIENCE) {
        // SAFETY: the handlers never unwind, and the C library forgets them when it unmaps this library.
        let _ = unsafe { libc::pthread_atfork(Some(before), Some(after), Some(after)) };
    }
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    if !known.load(Relaxed) {
        tables.push(table);
        known.store(true, Relaxed);
    }
}

/// The guard, unless another thread has the lock.
pub(super) fn try_lock<T>(lock: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match lock.try_lock() {
        Ok(guard) => Some(guard),
        // A panic while a lock was held cannot leave a table half written.
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

struct Frozen {
    _list: Option<MutexGuard<'static, Vec<&'static dyn Table>>>,
    _tables: Vec<Box<dyn Held>>,
}

thread_local! {
    /// From before the fork to after it. Without a destructor, so that any thread may fork at any time.
    static FROZEN: Cell<Option<ManuallyDrop<Frozen>>> = const { Cell::new(None) };
}

extern "C" fn before() {
    let _errno = KeepErrno::new();
    let began = Instant::now();
    let list = patiently(began, || try_lock(&TABLES));
    let tables = list.iter().flat_map(|list| list.iter()).filter_map(|table| patiently(began, || table.try_freeze()));
    let tables = tables.collect();
    FROZEN.set(Some(ManuallyDrop::new(Frozen { _list: list, _tables: tables })));
}

extern "C" fn after() {
    let _errno = KeepErrno::new();
    drop(FROZEN.take().map(ManuallyDrop::into_inner));
}

fn patiently<T>(began: Instant, attempt: impl Fn() -> Option<T>) -> Option<T> {
    loop {
        let got = attempt();
        if got.is_some() || began.elapsed() > PATIENCE {
            return got;
        }
        std::thread::yield_now();
    }
}
