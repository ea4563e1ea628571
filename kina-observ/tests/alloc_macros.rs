//! `#[alloc_traced]` on functions and on an implementation: what the ledger knows, what the lines say, and that no body's answer
//! changes.

mod common;

use std::alloc::Layout;
use std::panic::catch_unwind;
use std::ptr::NonNull;

use kina_observ::device::{Device, DevicePtr, Stream};
use kina_observ::memory::{
    AllocError, FreeError, HostMemoryResource, Ledger, MemoryResource, ResourceStats, resources,
};
use kina_observ::{Level, alloc_traced, span};
use serde_json::{Value, json};

static ARENA: Ledger = Ledger::new("arena");

#[alloc_traced(ledger = ARENA)]
fn take(bytes: usize, on: Option<&Stream>) -> Result<DevicePtr, String> {
    assert!(bytes != 13, "unlucky");
    if bytes > 4096 { Err(format!("{bytes} bytes are too many")) } else { Ok(DevicePtr::new(0x1000 + bytes as u64)) }
}

#[alloc_traced(free, ledger = ARENA, size = usize::try_from(length).expect("a size"))]
fn give_back(block: DevicePtr, length: u64, on: Option<&Stream>) -> Result<(), String> {
    let _ = on;
    if length == 100 { Err("it is in use".to_owned()) } else { Ok(()) }
}

/// Memory without a stream, under the ledger of all functions.
#[alloc_traced]
fn host<T>(size: usize) -> *mut T {
    let Ok(layout) = Layout::from_size_align(size, 64) else { return std::ptr::null_mut() };
    // SAFETY: every caller in this test asks for some bytes.
    unsafe { std::alloc::alloc(layout) }.cast()
}

#[alloc_traced(free, pointer = place)]
unsafe fn host_free<T>(place: NonNull<T>, size: usize) {
    let layout = Layout::from_size_align(size, 64).expect("the layout of `host`");
    // SAFETY: the caller got it from `host` with this size.
    unsafe { std::alloc::dealloc(place.as_ptr().cast(), layout) };
}

struct HalfMemoryResource<R> {
    inner: R,
}

#[alloc_traced]
impl<R: MemoryResource> MemoryResource for HalfMemoryResource<R> {
    fn allocate(&self, amount: usize, on: &Stream) -> Result<DevicePtr, AllocError> {
        self.inner.allocate(amount, on)
    }

    unsafe fn deallocate(&self, block: DevicePtr, amount: usize, on: &Stream) -> Result<(), FreeError> {
        // SAFETY: the caller's promise.
        unsafe { self.inner.deallocate(block, amount, on) }
    }
}

#[span("free.step")]
fn step(stream: &Stream) -> DevicePtr {
    take(300, Some(stream)).expect("300 bytes")
}

fn of(resource: &str) -> ResourceStats {
    resources()
        .into_iter()
        .find(|stats| stats.resource == resource)
        .unwrap_or_else(|| panic!("no ledger of {resource}"))
}

fn check(resource: &str, live: u64, blocks: u64, peak: u64, count: u64, failures: u64) {
    let stats = of(resource);
    let known = (stats.live, stats.live_count, stats.peak, stats.count, stats.failures);
    assert_eq!(known, (live, blocks, peak, count, failures), "{stats:?}");
    assert_eq!(stats.faults.iter().sum::<u64>(), 0, "{stats:?}");
}

/// One test, for the ledgers are the process's.
#[test]
fn blocks_are_counted_and_answers_stay() {
    let (_folder, path) = common::trace_file();
    let device = Device::cpu();
    let stream = device.stream("main").expect("a stream");
    // A level of its own: the spans of allocations are at severity `trace`.
    let builder = kina_observ::builder().level(Level::Basic).trace_output(&path).filter("trace");
    let guard = builder.init().expect("a trace");

    let first = take(100, None).expect("100 bytes");
    let second = step(&stream);
    assert_eq!(take(5000, Some(&stream)), Err("5000 bytes are too many".to_owned()));
    assert!(catch_unwind(|| take(13, None)).is_err());
    check("arena", 400, 2, 400, 2, 1);
    assert!(give_back(first, 100, None).is_err());
    check("arena", 400, 2, 400, 2, 1);
    give_back(second, 300, Some(&stream)).expect("it is freed");
    check("arena", 100, 1, 400, 2, 1);

    let block = NonNull::new(host::<u64>(64)).expect("64 bytes");
    assert!(host::<u8>(usize::MAX).is_null());
    check("functions", 64, 1, 64, 1, 1);
    // SAFETY: it came from `host` with this size.
    unsafe { host_free(block, 64) };
    check("functions", 0, 0, 64, 1, 1);

    let half = HalfMemoryResource { inner: HostMemoryResource::with_limit(1000) };
    let block = half.allocate(600, &stream).expect("600 bytes");
    let refused = half.allocate(600, &stream).expect_err("no 600 more");
    assert_eq!((refused.requested(), refused.resource()), (600, "host"));
    check("half", 600, 1, 600, 1, 1);
    // SAFETY: it came from here with this size, and nothing uses it.
    unsafe { half.deallocate(block, 600, &stream).expect("it is freed") };
    check("half", 0, 0, 600, 1, 1);

    // The filter keeps lines out of the trace, and nothing out of the ledger.
    kina_observ::set_filter("info").expect("a filter");
    let silent = take(200, None).expect("200 bytes");
    check("arena", 300, 2, 400, 3, 1);
    give_back(silent, 200, None).expect("it is freed");
    check("arena", 100, 1, 400, 3, 1);

    let leaks = kina_observ::memory::leaks();
    assert_eq!((leaks.bytes, leaks.blocks), (100, 1));
    guard.shutdown();

    let lines = common::lines(&path);
    let spans = common::of_kind(&lines, "span");
    let attributes = |span_type: &str, resource: &str| -> Vec<Value> {
        let of = spans.iter().filter(|line| line["type"] == span_type);
        of.map(|line| line["attributes"].clone()).filter(|all| all["runtime.alloc.resource"] == resource).collect()
    };
    let arena = attributes("runtime.alloc", "arena");
    assert_eq!(arena.len(), 4);
    assert_eq!(arena[0], json!({"runtime.alloc.resource": "arena", "runtime.alloc.size": 100}));
    let inside = json!({"runtime.alloc.resource": "arena", "runtime.alloc.size": 300, "runtime.stream.id": stream.id(), "runtime.device": "cpu:0"});
    assert_eq!(arena[1], inside);
    assert_eq!((&arena[2]["error.type"], &arena[3]["error.type"]), (&json!("alloc::string::String"), &json!("panic")));
    let freed = attributes("runtime.free", "arena");
    assert_eq!((freed.len(), &freed[0]["runtime.alloc.size"], &freed[1]), (2, &json!(100), &inside));
    for (resource, allocations, frees) in [("functions", 2, 1), ("half", 2, 1)] {
        assert_eq!(attributes("runtime.alloc", resource).len(), allocations, "{resource}");
        assert_eq!(attributes("runtime.free", resource).len(), frees, "{resource}");
    }
    let parent = spans.iter().find(|line| line["type"] == "free.step").expect("its line");
    assert!(spans.iter().any(|line| line["parent_span_id"] == parent["span_id"] && line["type"] == "runtime.alloc"));
}
