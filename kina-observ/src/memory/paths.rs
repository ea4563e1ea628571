//! Span paths as small numbers: which spans an allocation happened in, from the outermost to the innermost.
//! Invariant: a path that was met before is found again without a lock and without an allocation (`cargo xtask cost`).
//!
//! A path is its parent's number and the site of its last span. Spans know nothing of this: an allocation looks at the open
//! frames, and remembers on its thread what it found.

use core::cell::Cell;
use core::fmt;
use core::ptr;
use core::sync::atomic::{
    AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::instruments::Counter;
use crate::local::{self, DEEPEST, Local};
use crate::site::Site;

/// Outside of every span.
pub(super) const ROOT: u32 = 0;
/// All paths beyond `MOST`.
pub(super) const OTHER: u32 = 1;
/// Paths are places in the source, not values: a program with more has a recursion, and numbers of that are of no use.
pub(super) const MOST: usize = 4_096;
/// Half full at the most.
const SLOTS: usize = 2 * MOST;

/// Span types that are an allocation themselves: who allocates is the span around them.
const ALLOCATIONS: [&str; 2] = ["runtime.alloc", "runtime.free"];

#[derive(Debug)]
struct Node {
    parent: u32,
    site: &'static Site,
}

struct Paths {
    /// Of the path with number `index + 2`.
    nodes: [OnceLock<Node>; MOST - 2],
    /// Numbers, at the place that the hash of parent and site says; zero: free.
    slots: [AtomicU32; SLOTS],
    /// How many there are.
    count: AtomicUsize,
    /// Held while one is added.
    adding: Mutex<()>,
}

static PATHS: Paths = Paths {
    nodes: [const { OnceLock::new() }; MOST - 2],
    slots: [const { AtomicU32::new(0) }; SLOTS],
    count: AtomicUsize::new(0),
    adding: Mutex::new(()),
};

/// Allocations whose path found no number.
pub(super) static OTHERS: Counter = Counter::new();

impl Paths {
    fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get((number as usize).checked_sub(2)?)?.get()
    }

    /// The number of a path; a new one gets one.
    fn number(&self, parent: u32, site: &'static Site) -> u32 {
        if parent == OTHER || ALLOCATIONS.contains(&site.facts.span_type) {
            return parent;
        }
        self.find(parent, site).unwrap_or_else(|| self.add(parent, site))
    }

    fn find(&self, parent: u32, site: &'static Site) -> Option<u32> {
        for at in probe(parent, site) {
            match self.slots[at].load(Acquire) {
                0 => return None,
                number => {
                    let node = self.node(number)?;
                    if node.parent == parent && ptr::eq(node.site, site) {
                        return Some(number);
                    }
                }
            }
        }
        None
    }

    #[cold]
    fn add(&self, parent: u32, site: &'static Site) -> u32 {
        let _adding = self.freeze();
        if let Some(number) = self.find(parent, site) {
            return number;
        }
        let count = self.count.load(Relaxed);
        let Some(node) = self.nodes.get(count) else { return OTHER };
        let _ = node.set(Node { parent, site });
        let number = count as u32 + 2;
        // The table is never more than half full.
        if let Some(at) = probe(parent, site).find(|&at| self.slots[at].load(Relaxed) == 0) {
            self.slots[at].store(number, Release);
        }
        self.count.store(count + 1, Release);
        number
    }

    fn freeze(&self) -> MutexGuard<'_, ()> {
        self.adding.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn probe(parent: u32, site: &'static Site) -> impl Iterator<Item = usize> {
    let key = ptr::from_ref(site) as u64 ^ u64::from(parent).rotate_right(16);
    let home = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize;
    (0..SLOTS).map(move |step| (home + step) % SLOTS)
}

/// What a thread found last, frame by frame.
struct Found {
    /// Depth and sequence of the innermost span then, and the number of its path.
    innermost: Cell<(usize, u64, u32)>,
    frames: [Cell<(*const Site, u32)>; DEEPEST],
}

thread_local! {
    // Without a destructor, so that an allocation in another thread-local's destructor works.
    static FOUND: Found = const {
        Found {
            innermost: Cell::new((0, 0, ROOT)),
            frames: [const { Cell::new((ptr::null(), ROOT)) }; DEEPEST],
        }
    };
}

/// The path of this thread's open spans.
#[inline]
pub(super) fn current() -> u32 {
    local::with(|local| {
        let Some(last) = local.depth.get().checked_sub(1) else { return ROOT };
        let sequence = local.sequence_at(last);
        FOUND.with(|found| {
            let (depth, known, path) = found.innermost.get();
            // A span that was lost and a task's have no number of their own.
            if depth == last && known == sequence && local.is_plain(last) {
                return path;
            }
            walk(local, found, last, sequence)
        })
    })
}

/// From the outermost frame inwards, as far as this thread has been here before.
fn walk(local: &Local, found: &Found, last: usize, sequence: u64) -> u32 {
    let mut path = ROOT;
    let mut known = true;
    for depth in 0..=last {
        let site = local.site_at(depth);
        let (before, number) = found.frames[depth].get();
        known = known && ptr::eq(before, site);
        if known {
            path = number;
            continue;
        }
        path = PATHS.number(path, site);
        found.frames[depth].set((site, path));
    }
    if !known {
        // What stood deeper belonged to another path.
        if let Some(next) = found.frames.get(last + 1) {
            next.set((ptr::null(), ROOT));
        }
    }
    found.innermost.set((last, sequence, path));
    path
}

/// `step > runtime.gpu.matmul`, or `(no span)`, or `(other)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpanPath(pub(super) u32);

impl SpanPath {
    /// Nobody asked for the path.
    pub(super) const UNKNOWN: Self = Self(u32::MAX);

    /// Outside of every span.
    pub fn is_root(self) -> bool {
        self.0 == ROOT
    }
}

impl fmt::Display for SpanPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ROOT => return f.write_str("(no span)"),
            OTHER => return f.write_str("(other)"),
            u32::MAX => return f.write_str("(not recorded)"),
            _ => {}
        }
        let mut names = [""; DEEPEST];
        let mut length = 0;
        let mut node = PATHS.node(self.0);
        while let (Some(here), Some(name)) = (node, names.get_mut(length)) {
            *name = here.site.plain_name();
            length += 1;
            node = PATHS.node(here.parent);
        }
        for (index, name) in names[..length].iter().rev().enumerate() {
            if index > 0 {
                f.write_str(" > ")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}

/// While the process forks, so that the child does not inherit the lock from a thread that it does not have.
pub(super) fn freeze() -> MutexGuard<'static, ()> {
    PATHS.freeze()
}
