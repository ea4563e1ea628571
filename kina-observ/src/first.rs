//! What one thread of a process does once, while the others wait for it, but never for ever.
//! Invariant: nobody waits for a thread that a fork left behind, nor for itself (`tests` below).

use core::sync::atomic::{
    AtomicBool, AtomicU32, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use core::time::Duration;
use std::time::Instant;

const FRESH: u32 = 0;
/// No process has this number.
const DONE: u32 = u32::MAX;

/// Between two looks: `std::sync::Once` would sleep better, and for ever.
const LOOK_AGAIN: Duration = Duration::from_micros(100);

/// `std::sync::Once` for code that may be interrupted by a fork or a signal.
pub(crate) struct First {
    /// `FRESH`, the process whose thread is at it, or `DONE`.
    state: AtomicU32,
    /// The thread that is at it: a signal handler, or what it calls, may come back here.
    thread: AtomicUsize,
    /// Somebody waited in vain: nobody else will.
    hopeless: AtomicBool,
}

/// Another number for each thread that is alive; never 0.
fn this_thread() -> usize {
    thread_local! {
        static PLACE: u8 = const { 0 };
    }
    PLACE.with(|place| core::ptr::from_ref(place).addr())
}

/// Who is to do it.
pub(crate) enum Turn<'a> {
    /// The caller, until it drops this.
    Mine(Doing<'a>),
    /// It is done.
    Done,
    /// Another thread, which did not end in time, or this very thread further down its stack.
    UnderWay,
}

/// Whatever happens on the way, a panic too, it is done when this is dropped.
pub(crate) struct Doing<'a>(&'a First);

impl Drop for Doing<'_> {
    fn drop(&mut self) {
        self.0.state.store(DONE, Release);
    }
}

impl First {
    pub(crate) const fn new() -> Self {
        Self { state: AtomicU32::new(FRESH), thread: AtomicUsize::new(0), hopeless: AtomicBool::new(false) }
    }

    /// Takes it on, or waits up to `patience` for who did.
    pub(crate) fn turn(&self, patience: Duration) -> Turn<'_> {
        let own = std::process::id();
        let mut began = None;
        loop {
            let state = self.state.load(Acquire);
            if state == DONE {
                return Turn::Done;
            }
            // A process that is not ours is our parent, and its thread is not here.
            if state != own {
                if self.state.compare_exchange(state, own, AcqRel, Relaxed).is_ok() {
                    self.thread.store(this_thread(), Relaxed);
                    return Turn::Mine(Doing(self));
                }
                continue;
            }
            if self.thread.load(Relaxed) == this_thread() {
                return Turn::UnderWay;
            }
            let began = *began.get_or_insert_with(Instant::now);
            if self.hopeless.load(Relaxed) || began.elapsed() > patience {
                self.hopeless.store(true, Relaxed);
                return Turn::UnderWay;
            }
            std::thread::sleep(LOOK_AGAIN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::AtomicUsize;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn one_does_it_and_the_others_wait() {
        let (first, done) = (First::new(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| match first.turn(LONG) {
                    Turn::Mine(_doing) => {
                        std::thread::sleep(Duration::from_millis(20));
                        done.fetch_add(1, Relaxed);
                    }
                    Turn::Done => assert_eq!(done.load(Relaxed), 1),
                    Turn::UnderWay => panic!("a minute was not enough"),
                });
            }
        });
        assert_eq!(done.load(Relaxed), 1);
    }

    #[test]
    fn nobody_waits_for_itself() {
        let first = First::new();
        let turn = first.turn(LONG);
        assert!(matches!(first.turn(LONG), Turn::UnderWay));
        drop(turn);
        assert!(matches!(first.turn(LONG), Turn::Done));
    }

    #[test]
    fn nobody_waits_for_a_thread_that_a_fork_left_behind() {
        let first = First::new();
        first.state.store(std::process::id() + 1, Relaxed);
        assert!(matches!(first.turn(LONG), Turn::Mine(_)));
    }

    #[test]
    fn one_waits_in_vain_for_all() {
        let first = First::new();
        let _turn = first.turn(LONG);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                assert!(matches!(first.turn(Duration::from_millis(1)), Turn::UnderWay));
                assert!(matches!(first.turn(LONG), Turn::UnderWay));
            });
        });
    }

    #[test]
    fn what_panicked_is_done() {
        let first = First::new();
        let _ = std::panic::catch_unwind(|| {
            let _turn = first.turn(LONG);
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(matches!(first.turn(LONG), Turn::Done));
    }
}
