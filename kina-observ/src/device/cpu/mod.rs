//! The CPU as a device: a stream is a thread, a kernel is a Rust function with a name, memory may have a limit.

mod event;
mod memory;
mod worker;

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::time::Duration;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::backend::{
    KernelBackend, KernelFacts, KernelSource, MemoryInfo, RawEvent, RawFunction, RawGraph, RawStream,
};
use super::{Argument, DeviceError, DevicePtr, LaunchConfig};
use event::Event;
use memory::Memory;
pub use worker::Invocation;
use worker::{Job, Kernel, Worker};

/// The kernels of this process.
static KERNELS: Mutex<BTreeMap<String, Arc<Kernel>>> = Mutex::new(BTreeMap::new());

/// Gives a kernel a name; a later one of the same name takes its place for those who load it from then on.
///
/// ```
/// use kina_observ::device::{Argument, Device, KernelSource, LaunchConfig, cpu};
///
/// cpu::register("scale", |run| {
///     let (values, count, factor) = (run.pointer(0)?, run.u32(1)? as usize, run.f32(2)?);
///     let scaled: Vec<_> = run.read_f32(values, count)?.iter().map(|value| value * factor).collect();
///     run.write_f32(values, &scaled)
/// });
/// let device = Device::cpu();
/// let stream = device.stream("main")?;
/// let scale = device.load(KernelSource::Registered, "scale")?;
/// let values = stream.allocate(8)?;
/// let arguments = [Argument::Pointer(values), Argument::U32(2), Argument::F32(3.0)];
/// // SAFETY: the arguments are the three that `scale` reads, and `values` lives until the stream has caught up.
/// unsafe { stream.launch(&scale, &LaunchConfig::for_elements(2), &arguments)? };
/// stream.synchronize()?;
/// # Ok::<(), kina_observ::device::DeviceError>(())
/// ```
pub fn register(name: &str, run: impl Fn(&Invocation<'_>) -> Result<(), DeviceError> + Send + Sync + 'static) {
    let kernel = Arc::new(Kernel { name: name.to_owned(), run: Box::new(run) });
    lock(&KERNELS).insert(name.to_owned(), kernel);
}

/// The backend of [`Device::cpu`](super::Device::cpu).
pub struct Cpu {
    memory: Arc<Memory>,
    streams: Mutex<HashMap<RawStream, Worker>>,
    events: Mutex<HashMap<RawEvent, Arc<Event>>>,
    graphs: Mutex<HashMap<RawGraph, Arc<[Job]>>>,
    functions: Mutex<HashMap<RawFunction, Arc<Kernel>>>,
}

impl Cpu {
    /// With as much memory as the host gives.
    pub fn new() -> Self {
        Self::with_memory(u64::MAX)
    }

    /// With this many bytes of memory; an allocation beyond them is refused.
    pub fn with_memory(bytes: u64) -> Self {
        Self {
            memory: Arc::new(Memory::new(bytes)),
            streams: Mutex::default(),
            events: Mutex::default(),
            graphs: Mutex::default(),
            functions: Mutex::default(),
        }
    }

    fn worker(&self, stream: RawStream) -> Result<Worker, DeviceError> {
        lock(&self.streams).get(&stream).cloned().ok_or(DeviceError::Unknown { what: "stream" })
    }

    fn event(&self, event: RawEvent) -> Result<Arc<Event>, DeviceError> {
        lock(&self.events).get(&event).cloned().ok_or(DeviceError::Unknown { what: "event" })
    }
}

impl Default for Cpu {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Cpu {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Cpu")
    }
}

impl Drop for Cpu {
    fn drop(&mut self) {
        lock(&self.streams).drain().for_each(|(_, worker)| worker.close());
    }
}

/// One row of numbers for all CPU devices: what another one made is unknown, and not mistaken.
fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Relaxed)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KernelBackend for Cpu {
    fn name(&self) -> String {
        "cpu:0".to_owned()
    }

    fn create_stream(&self, name: &str) -> Result<RawStream, DeviceError> {
        let worker = Worker::start(name, self.memory.clone())?;
        let raw = RawStream(next());
        lock(&self.streams).insert(raw, worker);
        Ok(raw)
    }

    fn destroy_stream(&self, stream: RawStream) {
        if let Some(worker) = lock(&self.streams).remove(&stream) {
            worker.close();
        }
    }

    fn synchronize(&self, stream: RawStream) -> Result<(), DeviceError> {
        self.worker(stream)?.synchronize()
    }

    fn is_capturing(&self, stream: RawStream) -> Result<bool, DeviceError> {
        Ok(self.worker(stream)?.is_capturing())
    }

    fn begin_capture(&self, stream: RawStream) -> Result<(), DeviceError> {
        self.worker(stream)?.begin_capture()
    }

    fn end_capture(&self, stream: RawStream) -> Result<RawGraph, DeviceError> {
        let jobs = self.worker(stream)?.end_capture()?;
        let raw = RawGraph(next());
        lock(&self.graphs).insert(raw, jobs.into());
        Ok(raw)
    }

    fn launch_graph(&self, stream: RawStream, graph: RawGraph) -> Result<(), DeviceError> {
        let jobs = lock(&self.graphs).get(&graph).cloned().ok_or(DeviceError::Unknown { what: "graph" })?;
        self.worker(stream)?.push(Job::Graph(jobs))
    }

    fn destroy_graph(&self, graph: RawGraph) {
        lock(&self.graphs).remove(&graph);
    }

    fn create_event(&self) -> Result<RawEvent, DeviceError> {
        let raw = RawEvent(next());
        lock(&self.events).insert(raw, Arc::default());
        Ok(raw)
    }

    fn destroy_event(&self, event: RawEvent) {
        lock(&self.events).remove(&event);
    }

    fn record(&self, stream: RawStream, event: RawEvent) -> Result<(), DeviceError> {
        let event = self.event(event)?;
        self.worker(stream)?.record(&event)
    }

    fn is_complete(&self, event: RawEvent) -> Result<bool, DeviceError> {
        Ok(self.event(event)?.is_complete())
    }

    fn elapsed(&self, start: RawEvent, end: RawEvent) -> Result<Duration, DeviceError> {
        let (start, end) = (self.event(start)?.completed_at()?, self.event(end)?.completed_at()?);
        Ok(end.saturating_duration_since(start))
    }

    fn wait(&self, stream: RawStream, event: RawEvent) -> Result<(), DeviceError> {
        let event = self.event(event)?;
        let recorded = event.recorded();
        self.worker(stream)?.push(Job::Wait(event, recorded))
    }

    fn load(&self, _source: KernelSource<'_>, name: &str) -> Result<RawFunction, DeviceError> {
        let kernel = lock(&KERNELS).get(name).cloned().ok_or_else(|| DeviceError::NoSuchKernel {
            kernel: name.to_owned(),
            help: "register it first: `kina_observ::device::cpu::register`".into(),
        })?;
        let raw = RawFunction(next());
        lock(&self.functions).insert(raw, kernel);
        Ok(raw)
    }

    fn unload(&self, function: RawFunction) {
        lock(&self.functions).remove(&function);
    }

    /// Nothing: a Rust function has no registers to speak of, and no shared memory.
    fn facts(&self, _: RawFunction, _: [u32; 3], _: u32) -> Result<KernelFacts, DeviceError> {
        Ok(KernelFacts::default())
    }

    unsafe fn launch(
        &self,
        stream: RawStream,
        function: RawFunction,
        config: &LaunchConfig,
        arguments: &[Argument],
    ) -> Result<(), DeviceError> {
        let kernel = lock(&self.functions).get(&function).cloned().ok_or(DeviceError::Unknown { what: "kernel" })?;
        self.worker(stream)?.push(Job::Kernel { kernel, config: *config, arguments: arguments.into() })
    }

    fn allocate_async(&self, size: usize, stream: RawStream) -> Result<DevicePtr, DeviceError> {
        self.worker(stream)?.refuse_in_capture("allocate")?;
        self.memory.allocate(size)
    }

    unsafe fn free_async(&self, pointer: DevicePtr, stream: RawStream) -> Result<(), DeviceError> {
        let worker = self.worker(stream)?;
        worker.refuse_in_capture("free")?;
        self.memory.must_start_at(pointer)?;
        worker.push(Job::Free(pointer))
    }

    unsafe fn copy_to_device(&self, to: DevicePtr, from: &[u8], stream: RawStream) -> Result<(), DeviceError> {
        let worker = self.worker(stream)?;
        worker.refuse_in_capture("copy_to_device")?;
        worker.push(Job::Write(to, from.into()))
    }

    unsafe fn copy_from_device(&self, to: &mut [u8], from: DevicePtr, stream: RawStream) -> Result<(), DeviceError> {
        let worker = self.worker(stream)?;
        worker.refuse_in_capture("copy_from_device")?;
        to.copy_from_slice(&worker.read(from, to.len())?);
        Ok(())
    }

    fn memory_info(&self) -> Option<MemoryInfo> {
        self.memory.info()
    }
}
