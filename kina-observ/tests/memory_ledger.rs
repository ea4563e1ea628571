//! What a ledger says: of failures, of faulty frees, of what is still out, and across changes of the level.

use std::sync::{Mutex, MutexGuard, PoisonError};

use kina_observ::__private::Ledger;
use kina_observ::device::{Device, DevicePtr, Stream};
use kina_observ::memory::{
    Detail, FaultKind, FreeError, FreeReason, HostMemoryResource, MemoryResource, PoolConfig, PoolMemoryResource,
    Reason, TracingMemoryResource, leaks,
};
use kina_observ::{Guard, Level, builder, set_level, span};
use serde_json::Value;

mod common;

type Traced = TracingMemoryResource<HostMemoryResource>;

#[span(runtime.kernel.execute)]
fn execute<R>(kernel: &str, stream_id: i64, body: impl FnOnce() -> R) -> R {
    body()
}

#[span(compiler.elaborate, fields(compiler.declaration.count = 1))]
fn elaborate<R>(body: impl FnOnce() -> R) -> R {
    body()
}

/// One recording at a time: the level is the process's.
struct Recording {
    guard: Guard,
    folder: tempfile::TempDir,
    path: std::path::PathBuf,
    _turn: MutexGuard<'static, ()>,
}

impl Recording {
    fn start(detail: Detail) -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let (folder, path) = common::trace_file();
        let guard = builder().level(Level::Basic).memory_detail(detail).trace_output(&path).init();
        Self { guard: guard.expect("recording"), folder, path, _turn: turn }
    }

    /// The events of the trace.
    fn end(self) -> (kina_observ::Report, Vec<Value>) {
        let report = self.guard.shutdown();
        let lines = common::lines(&self.path);
        drop(self.folder);
        (report, lines.into_iter().filter(|line| line["kind"] == "event").collect())
    }
}

fn stream() -> Stream {
    Device::cpu().stream("main").expect("a stream")
}

fn host() -> Traced {
    TracingMemoryResource::new(HostMemoryResource::new())
}

/// Frees what may be no block at all; the host's resource checks for itself.
fn free(memory: &dyn MemoryResource, pointer: DevicePtr, size: usize, stream: &Stream) -> Result<(), FreeError> {
    // SAFETY: nobody uses the memory, and `HostMemoryResource` refuses what is no block of its own.
    unsafe { memory.deallocate(pointer, size, stream) }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn faulty_frees_are_told_with_both_paths() {
    let recording = Recording::start(Detail::Spans);
    let (memory, main, other) = (host(), stream(), stream());
    let block = elaborate(|| memory.allocate(512, &main)).expect("memory");
    let error = execute("k", 1, || free(&memory, block, 100, &main)).expect_err("another size");
    assert!(matches!(error.reason(), FreeReason::SizeMismatch { allocated: 512, passed: 100, .. }), "{error}");
    // It was refused, so the block is still out.
    assert_eq!((memory.stats().live, memory.stats().live_count), (512, 1));
    assert_eq!(execute("k", 1, || free(&memory, block, 512, &other)), Ok(()));
    assert!(execute("k", 1, || free(&memory, block, 512, &main)).is_err());
    assert!(free(&memory, DevicePtr::new(0x1000), 8, &main).is_err());
    assert_eq!(free(&memory, DevicePtr::NULL, 0, &main), Ok(()));

    let kinds: Vec<_> = memory.faults().iter().map(|fault| fault.kind).collect();
    let expected = [FaultKind::SizeMismatch, FaultKind::OtherStream, FaultKind::Double, FaultKind::Unknown];
    assert_eq!(kinds, expected);
    let stats = memory.stats();
    assert_eq!((stats.live, stats.live_count, stats.faults), (0, 0, [1; 4]));
    assert!(memory.paths().iter().all(|path| path.live == 0 && path.live_count == 0));

    let address = format!("{:#x}", block.as_u64());
    let messages: Vec<_> = memory.faults().iter().map(|fault| fault.to_string().replace(&address, "ADDRESS")).collect();
    let (one, two) = (main.id(), other.id());
    assert_eq!(
        messages,
        [
            "the block at ADDRESS of `host` is freed in `runtime.kernel.execute` as one of 100 bytes; it was allocated in \
             `compiler.elaborate` with 512 bytes\n  = help: keep the size beside the pointer"
                .to_owned(),
            format!(
                "the block at ADDRESS of `host` is freed in `runtime.kernel.execute` on stream {two}; it was allocated in \
                 `compiler.elaborate` on stream {one}\n  = help: free it on its own stream, or let that stream wait for this one first"
            ),
            "the block at ADDRESS of `host` is freed a second time in `runtime.kernel.execute`; it was allocated in \
             `compiler.elaborate` and freed in `runtime.kernel.execute`\n  = help: let one of the two own the block"
                .to_owned(),
            "0x1000, freed in `(no span)`, is no block of `host`\n  = help: free it through the resource that gave it out"
                .to_owned(),
        ]
    );
    let (_, events) = recording.end();
    let told: Vec<_> = events.iter().map(|event| text(&event["attributes"]["runtime.free.fault"])).collect();
    assert_eq!(told, ["size_mismatch", "other_stream", "double", "unknown"]);
}

#[test]
fn a_failed_allocation_names_the_largest_holders() {
    let recording = Recording::start(Detail::Spans);
    let config = PoolConfig { initial: 8_192, least_growth: 1_024, limit: Some(8_192) };
    let host = HostMemoryResource::with_limit(10_000);
    let memory = TracingMemoryResource::new(PoolMemoryResource::with_config(host, config));
    let stream = stream();
    let small = elaborate(|| memory.allocate(1_000, &stream)).expect("memory");
    let large = execute("k", 1, || [memory.allocate(2_000, &stream), memory.allocate(3_000, &stream)]);
    let [first, second] = large.map(|block| block.expect("memory"));
    let error = elaborate(|| memory.allocate(4_000, &stream)).expect_err("there is no room");

    assert_eq!(error.reason(), &Reason::Limit { limit: 8_192 });
    let number = stream.id();
    assert_eq!(
        error.to_string(),
        format!(
            "`pool` cannot allocate 4000 bytes on stream {number} (`main`) of cpu:0: it may not have more than 8192 bytes\n  \
               = in: `compiler.elaborate`\n  \
               = memory: 1808 of 10000 bytes are free\n  \
               = pool: 8192 bytes, 6144 of them in use, 2048 free in one piece\n  \
               = live: 6000 bytes, at most 6000 so far\n  \
               = held: 5000 bytes in 2 blocks by `runtime.kernel.execute`\n  \
               = held: 1000 bytes in 1 block by `compiler.elaborate`\n  \
               = help: free what the largest holder no longer needs, or work on smaller pieces"
        )
    );
    assert_eq!((memory.stats().failures, memory.stats().live), (1, 6_000));

    // With a hole in front there are enough bytes, but not in one piece.
    assert_eq!(free(&memory, first, 2_000, &stream), Ok(()));
    let error = memory.allocate(4_000, &stream).expect_err("two pieces");
    assert!(error.help().contains("not in one piece"), "{error}");
    assert_eq!(free(&memory, second, 3_000, &stream), Ok(()));
    let block = memory.allocate(4_000, &stream).expect("one piece");
    assert_eq!(free(&memory, block, 4_000, &stream), Ok(()));
    assert_eq!(free(&memory, small, 1_000, &stream), Ok(()));

    let (_, events) = recording.end();
    let event = &events[0];
    let attributes = &event["attributes"];
    assert_eq!(event["level"], "ERROR");
    assert_eq!(attributes["runtime.alloc.size"], 4_000);
    assert_eq!(attributes["runtime.alloc.span_path"], "compiler.elaborate");
    assert_eq!(attributes["runtime.memory.free"], 1_808);
    assert_eq!(attributes["runtime.pool.largest_free"], 2_048);
    let message = text(&event["msg"]);
    assert!(message.contains("held: 5000 bytes in 2 blocks by `runtime.kernel.execute`"), "{message}");
}

#[test]
fn what_is_still_out_is_told_at_shutdown_the_largest_first() {
    let recording = Recording::start(Detail::Spans);
    let (memory, stream) = (host(), stream());
    let mut blocks = Vec::new();
    elaborate(|| blocks.push(memory.allocate(100, &stream).expect("memory")));
    elaborate(|| execute("k", 1, || (0..3).for_each(|_| blocks.push(memory.allocate(200, &stream).expect("memory")))));
    assert_eq!(
        memory.leaks().to_string(),
        "700 bytes in 4 blocks still out\n  \
         600 bytes in 3 blocks of `host` still out, allocated in `compiler.elaborate > runtime.kernel.execute`\n  \
         100 bytes in 1 block of `host` still out, allocated in `compiler.elaborate`"
    );
    // A resource that goes while blocks are out is not forgotten.
    drop(memory);
    assert!(leaks().bytes >= 700);
    let (report, events) = recording.end();
    assert!(report.leaks.bytes >= 700);
    assert!(report.to_string().contains("bytes of traced memory still out"), "{report}");
    let ours: Vec<_> = events.iter().filter(|event| event["attributes"]["runtime.alloc.blocks"] == 3).collect();
    assert_eq!(ours.len(), 1, "{events:?}");
    assert_eq!(ours[0]["attributes"]["runtime.alloc.held"], 600);
    assert_eq!(ours[0]["attributes"]["runtime.alloc.span_path"], "compiler.elaborate > runtime.kernel.execute");
    assert_eq!(blocks.len(), 4);
}

#[test]
fn what_is_allocated_at_off_may_be_freed_at_basic_and_the_other_way_round() {
    for detail in [Detail::Spans, Detail::Totals] {
        let recording = Recording::start(detail);
        let (memory, stream) = (host(), stream());
        let allocate = || memory.allocate(1_000, &stream).expect("memory");
        let at_basic = allocate();
        let kept = allocate();
        assert!(set_level(Level::Off));
        let at_off = allocate();
        assert_eq!(memory.stats().live, 2_000, "as it was when the level went to off");
        assert_eq!(free(&memory, at_basic, 1_000, &stream), Ok(()));
        assert!(set_level(Level::Basic));
        // Nobody knows what is out of what was there before.
        let after = allocate();
        assert_eq!((memory.stats().live, memory.stats().live_count), (1_000, 1));
        assert_eq!(free(&memory, at_off, 1_000, &stream), Ok(()));
        assert_eq!(free(&memory, kept, 1_000, &stream), Ok(()));
        let _ = free(&memory, after, 1_000, &stream);
        let stats = memory.stats();
        assert_eq!((stats.live, stats.live_count, stats.faults), (0, 0, [0; 4]), "{detail:?}");
        assert_eq!(stats.count, 3, "{detail:?}");
        if detail == Detail::Spans {
            assert_eq!(stats.peak, 2_000);
        }
        assert_eq!(stats.unseen_frees, if detail == Detail::Spans { 2 } else { 0 });
        recording.end();
    }
}

#[test]
fn a_higher_level_forgets_nothing() {
    let recording = Recording::start(Detail::Spans);
    let (memory, stream) = (host(), stream());
    let block = memory.allocate(64, &stream).expect("memory");
    assert!(set_level(Level::Kernel));
    assert_eq!(memory.stats().live, 64);
    assert_eq!(free(&memory, block, 64, &stream), Ok(()));
    assert_eq!((memory.stats().live, memory.stats().unseen_frees), (0, 0));
    recording.end();
}

#[test]
fn totals_know_no_block() {
    let recording = Recording::start(Detail::Totals);
    let (memory, stream) = (host(), stream());
    let block = elaborate(|| memory.allocate(300, &stream)).expect("memory");
    let stats = memory.stats();
    assert_eq!((stats.live, stats.live_count, stats.peak, stats.bytes), (300, 1, 300, 300));
    assert!(memory.paths().is_empty());
    assert_eq!(
        memory.leaks().to_string(),
        "300 bytes in 1 block still out\n  300 bytes in 1 block of `host` still out, allocated in `(not recorded)`"
    );
    assert_eq!(free(&memory, block, 300, &stream), Ok(()));
    assert!(memory.leaks().is_empty());
    recording.end();
}

#[test]
fn tracing_changes_no_answer() {
    let answers = |memory: &dyn MemoryResource, stream: &Stream| {
        let block = memory.allocate(100, stream).expect("memory");
        let refused = memory.allocate(1 << 20, stream).expect_err("over the limit").summary().to_string();
        let told = |error: FreeError| error.to_string().replace(&format!("{:#x}", block.as_u64()), "ADDRESS");
        (
            refused,
            memory.allocate(0, stream),
            free(memory, block, 99, stream).map_err(told),
            free(memory, block, 100, stream).map_err(told),
            free(memory, block, 100, stream).map_err(told),
            free(memory, DevicePtr::new(16), 100, stream),
            memory.pool_info(),
            memory.memory_info(),
        )
    };
    let stream = stream();
    let bare = answers(&HostMemoryResource::with_limit(1_000), &stream);
    for detail in [Detail::Spans, Detail::Totals] {
        let recording = Recording::start(detail);
        for level in [Level::Basic, Level::Kernel, Level::Off] {
            set_level(level);
            let traced = TracingMemoryResource::new(HostMemoryResource::with_limit(1_000));
            assert_eq!(answers(&traced, &stream), bare, "{detail:?} {level:?}");
        }
        recording.end();
    }
}

#[test]
fn a_ledger_in_a_static_knows_pointers_of_any_kind() {
    static LEDGER: Ledger = Ledger::new("boxes");
    let recording = Recording::start(Detail::Spans);
    let stream = stream();
    let pointer: *mut u64 = LEDGER.allocate(8, &stream, || Box::into_raw(Box::new(7_u64)));
    let handle: Result<u64, ()> = LEDGER.allocate(8, &stream, || Ok(0x40));
    let none: Option<std::ptr::NonNull<u8>> = LEDGER.allocate(99, &stream, || None);
    assert!(none.is_none());
    let find = || kina_observ::memory::resources().into_iter().find(|stats| stats.resource == "boxes");
    let stats = find().expect("listed");
    assert_eq!((stats.live, stats.live_count, stats.failures), (16, 2, 1));
    assert_eq!(stats.metrics()[2], ("runtime.alloc.live", 16));
    // SAFETY: the box was made above.
    LEDGER.deallocate(pointer, 8, &stream, || drop(unsafe { Box::from_raw(pointer) }));
    let refused: Result<(), ()> = LEDGER.deallocate(handle.unwrap_or(0), 8, &stream, || Err(()));
    assert!(refused.is_err());
    assert_eq!(find().map(|stats| stats.live), Some(8));
    LEDGER.deallocate(0x40_u64, 8, &stream, || ());
    assert_eq!(find().map(|stats| (stats.live, stats.faults)), Some((0, [0; 4])));
    recording.end();
}

#[test]
fn every_metric_is_registered() {
    for (name, _) in kina_observ::memory::ResourceStats::default().metrics() {
        assert!(kina_observ::conventions::metric(name).is_some(), "{name}");
    }
}
