//! What a thread is doing: its open spans, the module it works for, its end of the ring.
//! Invariant: no destructor and no allocation after a thread's first span (`cargo xtask cost`).

mod frame;
#[cfg(feature = "nvtx")]
mod ranges;

use core::cell::Cell;
use core::ffi::c_void;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Relaxed, Release},
};
use std::panic::catch_unwind;
use std::sync::{Arc, OnceLock};

use crate::clock;
use crate::errno::KeepErrno;
use crate::ids::{SpanContext, own_ids};
use crate::ring::{Producer, Ring};
use crate::rings;
use crate::site::{Facts, Site};
use crate::words::{CARRIED, PARENT_DROPPED, SLOW_CLOCK};

pub(crate) use frame::{ADOPTED, explicit_sequence, is_explicit};
use frame::{EXPLICIT_FRAME, Frame};

/// Deepest nesting that is recorded; deeper spans are counted as dropped.
pub(crate) const DEEPEST: usize = 128;
/// Explicit parents open at once on one thread.
const EXPLICIT_OPEN: usize = 16;
/// Nested `module_push` calls of one thread.
pub(crate) const MODULES_OPEN: usize = 32;

/// Spans and events lost for another reason than a full ring.
pub(crate) static LOST: [(AtomicU64, &str); 4] = [
    (AtomicU64::new(0), "too deep"),
    (AtomicU64::new(0), "thread exiting"),
    (AtomicU64::new(0), "no memory"),
    (AtomicU64::new(0), "recording was starting"),
];
const TOO_DEEP: usize = 0;
const EXITING: usize = 1;
const NO_MEMORY: usize = 2;
/// Lost before there was a collector, which tells it all the same.
pub(crate) const EARLY: usize = 3;

/// Counts a call that came while another one was configuring the process, and could not wait for it.
pub(crate) fn count_early() {
    LOST[EARLY].0.fetch_add(1, Relaxed);
}

/// Nothing is recorded, so nothing was lost.
pub(crate) fn forget_early() {
    LOST[EARLY].0.store(0, Relaxed);
}

/// What a fork must not find half done: before the first span.
pub(crate) fn prepare() {
    reaper();
}

#[derive(Clone, Copy)]
struct Explicit {
    depth: u32,
    parent: SpanContext,
    /// The context word to return to.
    word: u64,
}

/// Stands in frames that were never opened.
static NO_SITE: Site = Site::new(&Facts::NONE);

/// One thread's state.
pub(crate) struct Local {
    pub(crate) producer: Producer,
    pub(crate) depth: Cell<usize>,
    /// Spans accepted so far.
    pub(crate) sequence: Cell<u64>,
    /// Module, device and flags, as START records carry them.
    pub(crate) word: Cell<u64>,
    /// Depth and sequence at which a failed span ended, and its error; see `error_continues`.
    failed: Cell<(usize, u64, &'static str)>,
    thread: Cell<u32>,
    exiting: Cell<bool>,
    /// The collector's own thread: what it does is not recorded, or recording would never end.
    quiet: Cell<bool>,
    explicit_open: Cell<usize>,
    pub(crate) modules_open: Cell<usize>,
    frames: [Cell<Frame>; DEEPEST],
    explicit: [Cell<Option<Explicit>>; EXPLICIT_OPEN],
    pub(crate) modules: [Cell<u16>; MODULES_OPEN],
}

thread_local! {
    static LOCAL: Local = const {
        Local {
            producer: Producer::new(),
            depth: Cell::new(0),
            sequence: Cell::new(0),
            word: Cell::new(0),
            failed: Cell::new((0, 0, "")),
            thread: Cell::new(0),
            exiting: Cell::new(false),
            quiet: Cell::new(false),
            explicit_open: Cell::new(0),
            modules_open: Cell::new(0),
            frames: [const { Cell::new(Frame { site: &NO_SITE, sequence: 0 }) }; DEEPEST],
            explicit: [const { Cell::new(None) }; EXPLICIT_OPEN],
            modules: [const { Cell::new(0) }; MODULES_OPEN],
        }
    };
}

/// Says goodbye to the ring. A key of the C library and not a thread-local with a destructor: it is also called for a
/// thread whose first span is in another key's destructor, and after every thread-local's.
fn reaper() -> Option<libc::pthread_key_t> {
    static REAPER: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    *REAPER.get_or_init(|| {
        let mut key = 0;
        // SAFETY: `key` is writable, and `reap` takes what `try_attach` sets.
        (unsafe { libc::pthread_key_create(&raw mut key, Some(reap)) } == 0).then_some(key)
    })
}

unsafe extern "C" fn reap(ring: *mut c_void) {
    with(|local| {
        local.exiting.set(true);
        local.producer.detach();
        // Whatever is still open here can no longer be told.
        local.depth.set(0);
    });
    // SAFETY: `try_attach` made it with `into_raw`, and the C library hands it over once.
    let ring = unsafe { Arc::from_raw(ring.cast::<Ring>().cast_const()) };
    ring.ended.store(true, Release);
}

/// Runs `body` with this thread's state. Works in thread-exit destructors too: there is nothing to destroy.
#[inline(always)]
pub(crate) fn with<R>(body: impl FnOnce(&Local) -> R) -> R {
    // Only the address is asked for inside `with`: the compiler does not inline `LocalKey::with` around a large closure.
    let local = LOCAL.with(core::ptr::from_ref);
    // SAFETY: without a destructor the state lives as long as its thread, and `&Local` does not leave `body`.
    body(unsafe { &*local })
}

impl Local {
    /// Opens a frame. The caller has made sure that there is one.
    #[inline(always)]
    pub(crate) fn push(&self, depth: usize, site: &'static Site, sequence: u64) {
        self.frames[depth].set(Frame { site, sequence });
        self.depth.set(depth + 1);
    }

    /// The site of a frame.
    #[inline(always)]
    pub(crate) fn site_at(&self, depth: usize) -> &'static Site {
        self.frames[depth].get().site
    }

    /// Makes sure that a ring is there, and that `words` fit; counts the loss otherwise.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(&self, site: &'static Site, depth: usize, words: usize) -> bool {
        if depth >= DEEPEST {
            LOST[TOO_DEEP].0.fetch_add(1, Relaxed);
            return false;
        }
        if self.producer.ring().is_none() && self.attach() && self.producer.has_room(words) {
            return true;
        }
        self.count_loss();
        self.push(depth, site, 0);
        self.word.set(self.word.get() | PARENT_DROPPED);
        false
    }

    /// Counts a span or an event that found no room.
    fn count_loss(&self) {
        match self.producer.ring() {
            Some(ring) => ring.drop_one(),
            None if self.quiet.get() => {}
            None if self.exiting.get() => drop(LOST[EXITING].0.fetch_add(1, Relaxed)),
            None => drop(LOST[NO_MEMORY].0.fetch_add(1, Relaxed)),
        }
    }

    /// Room for an event; counts the loss otherwise.
    pub(crate) fn room_for_event(&self, words: usize) -> bool {
        let room = (self.producer.ring().is_some() || self.attach()) && self.producer.has_room(words);
        if !room {
            self.count_loss();
        }
        room
    }

    /// Room for an error text or a link; counts the loss otherwise.
    pub(crate) fn room_for_detail(&self, words: usize) -> bool {
        let room = (self.producer.ring().is_some() || self.attach()) && self.producer.has_room(words);
        if let (false, Some(ring)) = (room, self.producer.ring()) {
            ring.drop_detail();
        }
        room
    }

    /// From now on nothing of this thread is recorded, and nothing counts as lost.
    pub(crate) fn keep_quiet(&self) {
        self.quiet.set(true);
    }

    /// The first span of a thread: makes its ring. Whatever goes wrong is a loss, never a panic in the caller.
    fn attach(&self) -> bool {
        let _errno = KeepErrno::new();
        !self.exiting.get()
            && !self.quiet.get()
            && catch_unwind(AssertUnwindSafe(|| self.try_attach())).unwrap_or(false)
    }

    fn try_attach(&self) -> bool {
        let thread = self.thread_number();
        let Some(ring) = rings::make(thread, self.thread_name()) else { return false };
        let Some(reaper) = reaper() else { return false };
        let kept = Arc::into_raw(ring.clone());
        // SAFETY: the key exists; the value is `reap`'s from now on.
        if unsafe { libc::pthread_setspecific(reaper, kept.cast()) } != 0 {
            // SAFETY: nobody took it.
            drop(unsafe { Arc::from_raw(kept) });
            return false;
        }
        // SAFETY: the reaper holds the ring until it detaches this producer, the only one that knows it.
        unsafe { self.producer.attach(&ring) };
        rings::add(ring);
        // Here, and not at every span, because a process has one clock, and it was installed before the gate opened.
        if !clock::is_counter() {
            self.word.set(self.word.get() | SLOW_CLOCK);
        }
        true
    }

    /// In a forked child, on the thread that forked: the ring, what is in it, and the open spans are the parent's.
    pub(crate) fn after_fork(&self) {
        if self.producer.ring().is_some() {
            self.producer.detach();
            // The parent's ring stays where it is: freeing it is of no use to a child that may `exec` next.
            if let Some(reaper) = reaper() {
                // SAFETY: the key exists; without a value there is nothing to reap.
                let _ = unsafe { libc::pthread_setspecific(reaper, core::ptr::null()) };
            }
        }
        self.sequence.set(0);
        self.explicit_open.set(0);
        self.word.set(self.word.get() & !PARENT_DROPPED);
        for frame in &self.frames[..self.depth.get()] {
            frame.set(Frame { sequence: 0, ..frame.get() });
        }
    }

    /// As the lines name this thread. It panics where a thread is too far gone to know its name.
    pub(crate) fn thread_name(&self) -> String {
        let number = self.thread_number();
        std::thread::current().name().map_or_else(|| format!("thread-{number}"), str::to_owned)
    }

    fn thread_number(&self) -> u32 {
        if self.thread.get() == 0 {
            static THREADS: AtomicU32 = AtomicU32::new(0);
            self.thread.set(THREADS.fetch_add(1, Relaxed) + 1);
        }
        self.thread.get()
    }

    /// After frames were closed: is a dropped span still among the open ones?
    #[cold]
    #[inline(never)]
    pub(crate) fn forget_dropped(&self) {
        let open = &self.frames[..self.depth.get()];
        if !open.iter().any(|frame| frame.get().is_dropped()) {
            self.word.set(self.word.get() & !PARENT_DROPPED);
        }
    }

    /// Makes `parent` the parent of the frame that `push` opens next at `depth`, with that context's module and device.
    pub(crate) fn open_explicit(&self, depth: usize, parent: SpanContext, word: u64) -> bool {
        let open = self.explicit_open.get();
        if open == EXPLICIT_OPEN {
            return false;
        }
        self.explicit[open].set(Some(Explicit { depth: depth as u32, parent, word: self.word.get() }));
        self.explicit_open.set(open + 1);
        self.carry(word);
        true
    }

    /// Takes over another thread's module and device.
    pub(crate) fn carry(&self, word: u64) {
        self.word.set(self.word.get() & !CARRIED | word & CARRIED);
    }

    /// Closes the explicit parents of frames at `depth` and deeper.
    #[cold]
    #[inline(never)]
    pub(crate) fn close_explicit(&self, depth: usize) {
        while let Some(last) = self.explicit_open.get().checked_sub(1) {
            let Some(explicit) = self.explicit[last].get().filter(|one| one.depth as usize >= depth) else {
                break;
            };
            self.carry(explicit.word);
            self.explicit_open.set(last);
        }
    }

    /// A frame that is there for its range only ends: an error that was told inside it stays told.
    pub(crate) fn error_passes(&self, depth: usize, error_type: &'static str) {
        if self.failed.get() == (depth + 1, self.sequence.get(), error_type) {
            self.failed.set((depth, self.sequence.get(), error_type));
        }
    }

    /// Whether the error of a span ending at `depth` is the one that its last child ended with: nothing was opened since,
    /// and it is of the same type.
    pub(crate) fn error_continues(&self, depth: usize, error_type: &'static str) -> bool {
        let continues = self.failed.get() == (depth + 1, self.sequence.get(), error_type);
        self.failed.set((depth, self.sequence.get(), error_type));
        continues
    }

    /// The innermost span that was recorded, and its trace.
    pub(crate) fn current(&self) -> Option<SpanContext> {
        let mut current = None;
        for (depth, frame) in self.frames[..self.depth.get()].iter().enumerate() {
            let sequence = frame.get().recorded();
            if sequence == 0 {
                continue;
            }
            if sequence == ADOPTED {
                current = self.explicit_parent(depth).or(current);
                continue;
            }
            let own = own_ids(self.thread.get(), sequence & !EXPLICIT_FRAME);
            let trace_id = if sequence & EXPLICIT_FRAME != 0 {
                self.explicit_parent(depth).map_or(own.trace_id, |parent| parent.trace_id)
            } else {
                current.map_or(own.trace_id, |outer: SpanContext| outer.trace_id)
            };
            current = Some(SpanContext { trace_id, span_id: own.span_id });
        }
        current
    }

    fn explicit_parent(&self, depth: usize) -> Option<SpanContext> {
        self.explicit[..self.explicit_open.get()]
            .iter()
            .filter_map(Cell::get)
            .find(|explicit| explicit.depth as usize == depth)
            .map(|explicit| explicit.parent)
    }

    /// Appends `step > runtime.gpu.matmul` to `path`.
    pub(crate) fn write_path(&self, path: &mut impl core::fmt::Write) -> core::fmt::Result {
        for (depth, frame) in self.frames[..self.depth.get()].iter().enumerate() {
            if depth > 0 {
                path.write_str(" > ")?;
            }
            path.write_str(frame.get().site.plain_name())?;
        }
        Ok(())
    }

    /// The path to `site`: the open spans, and `site` itself if it is not one of them (Off, or filtered).
    pub(crate) fn write_path_to(&self, site: &'static Site, path: &mut impl core::fmt::Write) -> core::fmt::Result {
        self.write_path(path)?;
        match self.depth.get().checked_sub(1) {
            Some(last) if core::ptr::eq(self.site_at(last), site) => return Ok(()),
            Some(_) => path.write_str(" > ")?,
            None => {}
        }
        path.write_str(site.plain_name())
    }
}
