//! Each thread's own sums of what it allocated and freed, so that adding to them needs no atomic addition.
//! Invariant: the sums of a thread that ended still count (`the_sums_of_ended_threads_count`).
//!
//! A slot is one ledger's sums on one thread. Blocks of slots are never given back: the next thread takes over the block of
//! one that ended, and adds to its sums.

use core::cell::Cell;
use core::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Release},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::instruments::{Counter, Gauge};

/// Ledgers at once that have slots; more of them add atomically. A program has a handful of memory resources.
pub(super) const SLOTS: usize = 16;

/// What one thread did with one ledger.
#[derive(Debug)]
pub(super) struct Sums {
    pub(super) bytes: Counter,
    pub(super) allocations: Counter,
    pub(super) frees: Counter,
    /// Bytes by which live has changed and that the ledger has not been told yet; only with totals.
    pub(super) pending: Gauge,
}

impl Sums {
    pub(super) const fn new() -> Self {
        Self { bytes: Counter::new(), allocations: Counter::new(), frees: Counter::new(), pending: Gauge::new() }
    }
}

/// Sums that were added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) bytes: u64,
    pub(super) allocations: u64,
    pub(super) frees: u64,
}

/// One thread's slots, on cache lines of its own.
#[repr(align(128))]
struct Block {
    slots: [Sums; SLOTS],
}

struct Blocks {
    all: Vec<&'static Block>,
    /// Blocks of threads that ended.
    free: Vec<&'static Block>,
}

static BLOCKS: Mutex<Blocks> = Mutex::new(Blocks { all: Vec::new(), free: Vec::new() });

/// Which slots belong to a ledger.
static TAKEN: [AtomicBool; SLOTS] = [const { AtomicBool::new(false) }; SLOTS];

fn blocks() -> MutexGuard<'static, Blocks> {
    BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    static MINE: Cell<Option<&'static Block>> = const { Cell::new(None) };
    /// Gives the block back when the thread ends.
    static OWNER: Owner = const { Owner };
}

struct Owner;

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some(block) = MINE.take() {
            blocks().free.push(block);
        }
    }
}

/// This thread's slot; `None`: its end has come so far that nobody would give the block back.
#[inline]
pub(super) fn mine(slot: usize) -> Option<&'static Sums> {
    let block = MINE.get().or_else(claim)?;
    block.slots.get(slot)
}

/// The same, if this thread had one before.
#[inline(always)]
pub(super) fn mine_already(slot: usize) -> Option<&'static Sums> {
    MINE.get()?.slots.get(slot)
}

#[cold]
fn claim() -> Option<&'static Block> {
    OWNER.try_with(|_| ()).ok()?;
    let mut blocks = blocks();
    let block = blocks.free.pop().unwrap_or_else(|| {
        let new = Block { slots: [const { Sums::new() }; SLOTS] };
        let block: &'static Block = Box::leak(Box::new(new));
        blocks.all.push(block);
        block
    });
    MINE.set(Some(block));
    Some(block)
}

/// A slot for a ledger; `None`: all are taken.
pub(super) fn take() -> Option<usize> {
    TAKEN.iter().position(|taken| !taken.swap(true, Acquire))
}

/// The sums of all threads. What was freed is read first, so that it is never more than what was allocated.
pub(super) fn sum(slot: usize) -> Sum {
    let blocks = blocks();
    let add = |which: fn(&Sums) -> &Counter| {
        blocks.all.iter().map(|block| which(&block.slots[slot]).value()).fold(0, u64::wrapping_add)
    };
    let frees = add(|sums| &sums.frees);
    Sum { frees, allocations: add(|sums| &sums.allocations), bytes: add(|sums| &sums.bytes) }
}

/// What the ledger has not been told yet, of all threads.
pub(super) fn pending(slot: usize) -> i64 {
    blocks().all.iter().map(|block| block.slots[slot].pending.value()).sum()
}

/// The ledger is gone: nobody adds any more. Gives back its sums and the slot, which is zero for the next.
pub(super) fn give_back(slot: usize) -> Sum {
    let last = sum(slot);
    for block in &blocks().all {
        let Sums { bytes, allocations, frees, pending } = &block.slots[slot];
        pending.set(0);
        [bytes, allocations, frees].iter().for_each(|counter| counter.add_alone(counter.value().wrapping_neg()));
    }
    TAKEN[slot].store(false, Release);
    last
}

/// While the process forks, so that the child does not inherit the lock from a thread that it does not have.
pub(super) struct Frozen(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, Blocks>);

pub(super) fn freeze() -> Frozen {
    Frozen(blocks())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_of_ended_threads_count() {
        let slot = take().expect("a slot is free");
        for _ in 0..3 {
            let thread = std::thread::spawn(move || {
                let mine = mine(slot).expect("a living thread");
                mine.allocations.add_alone(2);
                mine.bytes.add_alone(512);
                mine.frees.add_alone(1);
            });
            thread.join().expect("no panic");
        }
        let sum = Sum { bytes: 3 * 512, allocations: 6, frees: 3 };
        assert_eq!(super::sum(slot), sum);
        assert_eq!(give_back(slot), sum);
        assert_eq!(super::sum(slot), Sum::default());
    }
}
