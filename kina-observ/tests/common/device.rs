//! A device that counts what is asked of it, and a launch as `#[kernel]` writes it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use kina_observ::__private as p;
use kina_observ::device::backend::{RawEvent, RawFunction, RawGraph, RawStream};
use kina_observ::device::{
    Argument, DeviceError, DevicePtr, Function, KernelBackend, KernelFacts, KernelSource, Launch, LaunchConfig,
    MemoryInfo, Stream, cpu::Cpu,
};

/// How often each was called.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub(crate) synchronize: AtomicU64,
    pub(crate) create_event: AtomicU64,
    pub(crate) record: AtomicU64,
    pub(crate) is_complete: AtomicU64,
    pub(crate) facts: AtomicU64,
    pub(crate) launch: AtomicU64,
    pub(crate) live_events: AtomicU64,
}

impl Calls {
    #[allow(dead_code, reason = "not every test asks")]
    pub(crate) fn of(counter: &AtomicU64) -> u64 {
        counter.load(Relaxed)
    }
}

/// The CPU, counted. It claims to know its kernels.
pub(crate) struct Counting {
    cpu: Cpu,
    calls: Arc<Calls>,
}

impl Counting {
    pub(crate) fn new() -> (Self, Arc<Calls>) {
        let calls = Arc::new(Calls::default());
        (Self { cpu: Cpu::new(), calls: calls.clone() }, calls)
    }
}

impl KernelBackend for Counting {
    fn name(&self) -> String {
        "counting:0".to_owned()
    }

    fn create_stream(&self, name: &str) -> Result<RawStream, DeviceError> {
        self.cpu.create_stream(name)
    }

    fn destroy_stream(&self, stream: RawStream) {
        self.cpu.destroy_stream(stream);
    }

    fn synchronize(&self, stream: RawStream) -> Result<(), DeviceError> {
        self.calls.synchronize.fetch_add(1, Relaxed);
        self.cpu.synchronize(stream)
    }

    fn is_capturing(&self, stream: RawStream) -> Result<bool, DeviceError> {
        self.cpu.is_capturing(stream)
    }

    fn begin_capture(&self, stream: RawStream) -> Result<(), DeviceError> {
        self.cpu.begin_capture(stream)
    }

    fn end_capture(&self, stream: RawStream) -> Result<RawGraph, DeviceError> {
        self.cpu.end_capture(stream)
    }

    fn launch_graph(&self, stream: RawStream, graph: RawGraph) -> Result<(), DeviceError> {
        self.cpu.launch_graph(stream, graph)
    }

    fn destroy_graph(&self, graph: RawGraph) {
        self.cpu.destroy_graph(graph);
    }

    fn create_event(&self) -> Result<RawEvent, DeviceError> {
        self.calls.create_event.fetch_add(1, Relaxed);
        self.calls.live_events.fetch_add(1, Relaxed);
        self.cpu.create_event()
    }

    fn destroy_event(&self, event: RawEvent) {
        self.calls.live_events.fetch_sub(1, Relaxed);
        self.cpu.destroy_event(event);
    }

    fn record(&self, stream: RawStream, event: RawEvent) -> Result<(), DeviceError> {
        self.calls.record.fetch_add(1, Relaxed);
        self.cpu.record(stream, event)
    }

    fn is_complete(&self, event: RawEvent) -> Result<bool, DeviceError> {
        self.calls.is_complete.fetch_add(1, Relaxed);
        self.cpu.is_complete(event)
    }

    fn elapsed(&self, start: RawEvent, end: RawEvent) -> Result<Duration, DeviceError> {
        self.cpu.elapsed(start, end)
    }

    fn wait(&self, stream: RawStream, event: RawEvent) -> Result<(), DeviceError> {
        self.cpu.wait(stream, event)
    }

    fn load(&self, source: KernelSource<'_>, name: &str) -> Result<RawFunction, DeviceError> {
        self.cpu.load(source, name)
    }

    fn unload(&self, function: RawFunction) {
        self.cpu.unload(function);
    }

    fn facts(&self, _: RawFunction, block: [u32; 3], shared_memory: u32) -> Result<KernelFacts, DeviceError> {
        self.calls.facts.fetch_add(1, Relaxed);
        let mut facts = KernelFacts::default();
        facts.registers = Some(block[0] + shared_memory);
        facts.occupancy = Some(0.75);
        Ok(facts)
    }

    unsafe fn launch(
        &self,
        stream: RawStream,
        function: RawFunction,
        config: &LaunchConfig,
        arguments: &[Argument],
    ) -> Result<(), DeviceError> {
        self.calls.launch.fetch_add(1, Relaxed);
        // SAFETY: our caller's promise.
        unsafe { self.cpu.launch(stream, function, config, arguments) }
    }

    fn allocate_async(&self, size: usize, stream: RawStream) -> Result<DevicePtr, DeviceError> {
        self.cpu.allocate_async(size, stream)
    }

    unsafe fn free_async(&self, pointer: DevicePtr, stream: RawStream) -> Result<(), DeviceError> {
        // SAFETY: our caller's promise.
        unsafe { self.cpu.free_async(pointer, stream) }
    }

    unsafe fn copy_to_device(&self, to: DevicePtr, from: &[u8], stream: RawStream) -> Result<(), DeviceError> {
        // SAFETY: our caller's promise.
        unsafe { self.cpu.copy_to_device(to, from, stream) }
    }

    unsafe fn copy_from_device(&self, to: &mut [u8], from: DevicePtr, stream: RawStream) -> Result<(), DeviceError> {
        // SAFETY: our caller's promise.
        unsafe { self.cpu.copy_from_device(to, from, stream) }
    }

    fn memory_info(&self) -> Option<MemoryInfo> {
        self.cpu.memory_info()
    }
}

static SITE: p::Site = p::Site::new(&p::Facts {
    name: "launch {runtime.kernel.name}",
    module: module_path!(),
    start: &[
        p::Attr::text("runtime.kernel.name"),
        p::Attr::int("runtime.kernel.shared_memory"),
        p::Attr::int("runtime.stream.id"),
    ],
    late: &[
        p::Attr::boolean("runtime.kernel.captured"),
        p::Attr::int("runtime.kernel.registers"),
        p::Attr::double("runtime.kernel.occupancy"),
    ],
    ..p::Facts::of("runtime.kernel.launch", "launch")
});

/// A launching function: its span, its launch, `body` inside both.
pub(crate) fn launching<R>(stream: &Stream, name: &str, shared_memory: i64, body: impl FnOnce() -> R) -> R {
    if !p::is_on(&SITE) {
        return body();
    }
    let entered = p::enter_values(&SITE, |start| {
        let (memory, id) = (p::int(&shared_memory), p::int(&stream.id()));
        start.span(&[p::Value::Str(name), p::Value::of_word(memory), p::Value::of_word(id)])
    });
    let guard = p::PanicGuard::new(entered);
    let launch = Launch::begin(&SITE, stream, name);
    let result = body();
    let late = p::Late::<3>::new();
    late.set_word(0, launch.captured());
    late.set_word(1, launch.registers());
    late.set_word(2, launch.occupancy());
    launch.end();
    guard.defuse();
    p::exit_outcome_late(entered, p::Outcome::Success, &late);
    result
}

/// Launches `function` with one number, inside a launching function.
#[allow(dead_code, reason = "not every test does")]
pub(crate) fn launch(stream: &Stream, function: &Function, number: i64) {
    launching(stream, function.name(), number, || enqueue(stream, function, number));
}

/// The bare launch.
pub(crate) fn enqueue(stream: &Stream, function: &Function, number: i64) {
    let config = LaunchConfig { grid: [1; 3], block: [32, 1, 1], shared_memory: 0 };
    // SAFETY: the kernels of these tests read one number and no pointer.
    unsafe { stream.launch(function, &config, &[Argument::I64(number)]) }.expect("a launch");
}
