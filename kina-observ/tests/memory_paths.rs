//! More span paths than a ledger tells apart: the rest is one path, and nothing is lost.

use kina_observ::device::Device;
use kina_observ::memory::{HostMemoryResource, MemoryResource, TracingMemoryResource};
use kina_observ::{Level, builder, span};

mod common;

/// Two spans at each of 13 depths.
const DEPTH: u32 = 13;
const LEAVES: u64 = 1 << DEPTH;
/// Paths with a name of their own.
const TOLD_APART: u64 = 4_094;

#[span("paths.left")]
fn left(body: &mut dyn FnMut()) {
    body();
}

#[span("paths.right")]
fn right(body: &mut dyn FnMut()) {
    body();
}

/// Each bit says which span comes next, the highest first.
fn inside(bits: u64, depth: u32, body: &mut dyn FnMut()) {
    let Some(inner) = depth.checked_sub(1) else { return body() };
    let next = &mut || inside(bits, inner, body);
    if bits >> inner & 1 == 0 { left(next) } else { right(next) }
}

#[test]
fn paths_beyond_the_most_are_counted_as_other() {
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Basic).trace_output(path).init().expect("recording");
    let stream = Device::cpu().stream("main").expect("a stream");
    let memory = TracingMemoryResource::new(HostMemoryResource::new());
    let mut blocks = Vec::new();
    for leaf in 0..LEAVES {
        inside(leaf, DEPTH, &mut || blocks.push(memory.allocate(64, &stream).expect("memory")));
    }
    let (stats, paths) = (memory.stats(), memory.paths());
    let (other, named): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.path.to_string() == "(other)");
    assert_eq!(other.len(), 1);
    assert!(named.iter().all(|path| (path.count, path.live) == (1, 64)), "each leaf is a path of its own");
    assert!(named.len() as u64 > TOLD_APART / 3, "inner spans take numbers too: {}", named.len());
    assert_eq!(named.len() as u64 + other[0].count, LEAVES);
    assert_eq!(stats.other_paths, other[0].count);
    assert_eq!((stats.live, stats.live_count), (64 * LEAVES, LEAVES));
    assert_eq!(memory.leaks().bytes, 64 * LEAVES);

    for block in blocks {
        // SAFETY: it was allocated above with this size, and nobody uses it.
        unsafe { memory.deallocate(block, 64, &stream) }.expect("a block");
    }
    assert!(memory.leaks().is_empty());
    assert!(memory.paths().iter().all(|path| (path.live, path.live_count) == (0, 0)));
    assert_eq!(memory.stats().faults, [0; 4]);
    drop(guard);
}
