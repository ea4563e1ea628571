//! Eight threads, five million random operations on three stacked resources, held against a model.
//!
//! A peak under concurrency depends on the order in which the threads come, which only the ledger sees. So one million
//! operations come one after the other, from all threads, and must give the model's peak exactly; the other four million
//! come as they like, between a model that counts a block too short and one that counts it too long.

use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

use kina_observ::device::{Device, DevicePtr, Stream};
use kina_observ::memory::{
    HostMemoryResource, MemoryResource, PoolConfig, PoolMemoryResource, ResourceStats, TracingMemoryResource,
};
use kina_observ::{Level, builder, span};

mod common;

const THREADS: u64 = 8;
const ONE_BY_ONE: u64 = 1_000_000;
const AT_ONCE: u64 = 4_000_000;
/// Operations inside one span.
const STEP: u64 = 1_000;
/// More than the threads hold at once; a hundredth of the allocations asks for more than this.
const LIMIT: u64 = 64 << 20;
const LARGEST: u64 = 32 << 10;
/// Blocks of one thread at once, about.
const BLOCKS: usize = 100;

type Stack = TracingMemoryResource<PoolMemoryResource<HostMemoryResource>>;

#[span(runtime.kernel.execute)]
fn execute(kernel: &str, stream_id: i64, body: &mut dyn FnMut()) {
    body();
}

#[span(compiler.elaborate, fields(compiler.declaration.count = 1))]
fn elaborate(body: &mut dyn FnMut()) {
    body();
}

/// The three paths that the threads allocate in.
const PATHS: [&str; 3] = ["(no span)", "compiler.elaborate", "compiler.elaborate > runtime.kernel.execute"];

fn inside(path: usize, body: &mut dyn FnMut()) {
    match path {
        0 => body(),
        1 => elaborate(body),
        _ => elaborate(&mut || execute("k", 1, body)),
    }
}

/// A number that goes up and down, and its peak.
#[derive(Default)]
struct Height {
    now: AtomicI64,
    peak: AtomicI64,
}

impl Height {
    fn add(&self, size: u64) {
        let now = self.now.fetch_add(size as i64, SeqCst) + size as i64;
        self.peak.fetch_max(now, SeqCst);
    }

    fn sub(&self, size: u64) {
        self.now.fetch_sub(size as i64, SeqCst);
    }

    fn peak(&self) -> u64 {
        self.peak.load(SeqCst) as u64
    }
}

/// What the ledger must say, or what it must lie between.
#[derive(Default)]
struct Model {
    short: Height,
    long: Height,
    out: Mutex<HashSet<DevicePtr>>,
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Sums {
    bytes: u64,
    count: u64,
    failures: u64,
}

/// What one thread did, by path.
type Done = [Sums; 3];

struct Worker<'a> {
    memory: &'a Stack,
    model: &'a Model,
    turn: Option<&'a Mutex<()>>,
    stream: Stream,
    random: u64,
    blocks: Vec<(DevicePtr, u64)>,
    done: Done,
}

impl Worker<'_> {
    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    fn run(mut self, operations: u64) -> Done {
        for _ in 0..operations / STEP {
            let path = (self.random() % 3) as usize;
            inside(path, &mut || (0..STEP).for_each(|_| self.operation(path)));
        }
        while !self.blocks.is_empty() {
            self.free(0);
        }
        self.done
    }

    fn operation(&mut self, path: usize) {
        let turn = self.turn.map(|turn| turn.lock().expect("no panic"));
        let random = self.random();
        match random % 100 {
            // No memory has room for it.
            0 => self.allocate(path, LIMIT + random % LIMIT),
            _ if self.blocks.len() > (random >> 32) as usize % (2 * BLOCKS) => {
                let index = (random >> 16) as usize % self.blocks.len();
                self.free(index);
            }
            _ => self.allocate(path, 1 + (random >> 8) % LARGEST),
        }
        drop(turn);
    }

    fn allocate(&mut self, path: usize, size: u64) {
        self.model.long.add(size);
        match self.memory.allocate(size as usize, &self.stream) {
            Ok(pointer) => {
                self.model.short.add(size);
                assert!(self.model.out.lock().expect("no panic").insert(pointer), "{pointer:?} is out already");
                self.blocks.push((pointer, size));
                self.done[path].bytes += size;
                self.done[path].count += 1;
            }
            Err(error) => {
                self.model.long.sub(size);
                assert_eq!(error.report().map(|report| report.path.to_string()), Some(PATHS[path].to_owned()));
                self.done[path].failures += 1;
            }
        }
    }

    fn free(&mut self, index: usize) {
        let (pointer, size) = self.blocks.swap_remove(index);
        assert!(self.model.out.lock().expect("no panic").remove(&pointer), "{pointer:?} is not out");
        self.model.short.sub(size);
        // SAFETY: it was allocated with this size and taken out of the list just now; nobody looks at the memory.
        unsafe { self.memory.deallocate(pointer, size as usize, &self.stream) }.expect("the block is out");
        self.model.long.sub(size);
    }
}

/// Lets eight threads work on a stack of their own.
fn work(operations: u64, one_by_one: bool) -> (Model, Done, Stack) {
    let device = Device::cpu();
    let host = HostMemoryResource::with_limit(LIMIT);
    let pool = PoolMemoryResource::with_config(host, PoolConfig { initial: 4 << 20, ..PoolConfig::default() });
    let memory = TracingMemoryResource::new(pool);
    let model = Model::default();
    let turn = Mutex::new(());
    let done = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..=THREADS)
            .map(|thread| {
                let worker = Worker {
                    memory: &memory,
                    model: &model,
                    turn: one_by_one.then_some(&turn),
                    stream: device.stream("worker").expect("a stream"),
                    random: thread * 0x9e37_79b9,
                    blocks: Vec::new(),
                    done: Done::default(),
                };
                scope.spawn(move || worker.run(operations / THREADS))
            })
            .collect();
        let mut all = Done::default();
        for worker in workers {
            let done = worker.join().expect("no panic");
            for (sum, part) in all.iter_mut().zip(done) {
                sum.bytes += part.bytes;
                sum.count += part.count;
                sum.failures += part.failures;
            }
        }
        all
    });
    (model, done, memory)
}

fn check(operations: u64, one_by_one: bool) {
    let (model, done, memory) = work(operations, one_by_one);
    let stats = memory.stats();
    println!("{operations} operations: {stats:?}");
    let ResourceStats { live, live_count, faults, unseen_frees, .. } = stats;
    assert_eq!((live, live_count, faults, unseen_frees), (0, 0, [0; 4], 0));
    assert!(model.out.lock().expect("no panic").is_empty());
    assert!((model.short.peak()..=model.long.peak()).contains(&stats.peak), "{}", stats.peak);
    if one_by_one {
        // A failed allocation never was in the ledger, so the short one is exact.
        assert_eq!(stats.peak, model.short.peak());
    }
    let total = |which: fn(&Sums) -> u64| done.iter().map(which).sum::<u64>();
    let expected = (total(|sums| sums.bytes), total(|sums| sums.count), total(|sums| sums.failures));
    assert_eq!((stats.bytes, stats.count, stats.failures), expected);
    assert!(stats.failures > operations / 200, "too few failures to mean something");

    let paths: BTreeMap<_, _> = memory.paths().into_iter().map(|stats| (stats.path.to_string(), stats)).collect();
    assert_eq!(paths.len(), PATHS.len());
    for (path, sums) in PATHS.iter().zip(&done) {
        let stats = &paths[*path];
        assert_eq!((stats.live, stats.live_count), (0, 0), "{path}");
        assert_eq!(&Sums { bytes: stats.bytes, count: stats.count, failures: stats.failures }, sums, "{path}");
        assert!(stats.peak > 0 && stats.peak <= memory.stats().peak, "{path}");
    }
}

#[test]
fn eight_threads_end_at_zero_with_the_peak_of_a_model() {
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Basic).trace_output(path).init().expect("recording");
    check(ONE_BY_ONE, true);
    check(AT_ONCE, false);
    let report = guard.shutdown();
    assert!(report.leaks.is_empty(), "{}", report.leaks);
}
