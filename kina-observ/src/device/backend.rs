//! What a device must be able to do: the trait behind [`Device`](super::Device), over small raw numbers.

use core::any::Any;
use core::time::Duration;

use super::{Argument, DeviceError, DevicePtr, LaunchConfig};

macro_rules! raw {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u64);
    )*};
}

raw! {
    /// A backend's number, or address, of a stream.
    RawStream
    /// A backend's number, or address, of an event.
    RawEvent
    /// A backend's number, or address, of a graph that can be launched.
    RawGraph
    /// A backend's number, or address, of a loaded kernel.
    RawFunction
}

/// Where a kernel's code comes from.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum KernelSource<'a> {
    /// The backend knows the kernel by its name: [`cpu::register`](super::cpu::register).
    Registered,
    /// PTX, as a compiler wrote it.
    Ptx(&'a str),
    /// CUDA C++, compiled when it is loaded.
    CudaCpp(&'a str),
}

/// What is known about a kernel before it runs, for one block shape.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct KernelFacts {
    /// Registers of a thread.
    pub registers: Option<u32>,
    /// Static shared memory of a block, in bytes.
    pub static_shared_memory: Option<u32>,
    /// How much of a multiprocessor's threads can be busy, from 0 to 1, if nothing but the kernel limits it.
    pub occupancy: Option<f64>,
}

/// How much memory a device has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Bytes that nobody holds.
    pub free: u64,
    /// All bytes.
    pub total: u64,
}

/// A device's driver. Every method may be called from any thread.
///
/// An error is told, never panicked with, and telling it never calls the driver.
pub trait KernelBackend: Any + Send + Sync {
    /// Name of the device, which is `runtime.device` on its spans: `cpu:0`, `cuda:0`.
    fn name(&self) -> String;

    /// Makes a stream, which runs its work in order.
    fn create_stream(&self, name: &str) -> Result<RawStream, DeviceError>;

    /// Gives the stream back. What is enqueued still runs.
    fn destroy_stream(&self, stream: RawStream);

    /// Waits until everything enqueued so far has run; tells what failed since the last time.
    fn synchronize(&self, stream: RawStream) -> Result<(), DeviceError>;

    /// Whether the stream's work goes into a graph instead of running.
    fn is_capturing(&self, stream: RawStream) -> Result<bool, DeviceError>;

    /// From now on the stream's work goes into a graph. Other threads and streams go on as before: nothing that they
    /// do may invalidate the capture.
    fn begin_capture(&self, stream: RawStream) -> Result<(), DeviceError>;

    /// Ends the capture; the graph can be launched.
    fn end_capture(&self, stream: RawStream) -> Result<RawGraph, DeviceError>;

    /// Enqueues a graph.
    fn launch_graph(&self, stream: RawStream, graph: RawGraph) -> Result<(), DeviceError>;

    /// Gives the graph back; a launch under way still ends.
    fn destroy_graph(&self, graph: RawGraph);

    /// Makes an event that keeps the time.
    fn create_event(&self) -> Result<RawEvent, DeviceError>;

    /// Gives the event back.
    fn destroy_event(&self, event: RawEvent);

    /// Enqueues the event: it is complete when everything before it has run.
    fn record(&self, stream: RawStream, event: RawEvent) -> Result<(), DeviceError>;

    /// Whether the event's last recording is complete. Never waits.
    fn is_complete(&self, event: RawEvent) -> Result<bool, DeviceError>;

    /// The time between two events that are both complete. Never waits: an event that is not complete is
    /// [`DeviceError::NotReady`].
    fn elapsed(&self, start: RawEvent, end: RawEvent) -> Result<Duration, DeviceError>;

    /// Makes what comes later on the stream wait for the event's last recording before this call.
    fn wait(&self, stream: RawStream, event: RawEvent) -> Result<(), DeviceError>;

    /// Finds a kernel.
    fn load(&self, source: KernelSource<'_>, name: &str) -> Result<RawFunction, DeviceError>;

    /// Gives a kernel back.
    fn unload(&self, function: RawFunction);

    /// Asks about a kernel; the caller remembers the answer.
    fn facts(&self, function: RawFunction, block: [u32; 3], shared_memory: u32) -> Result<KernelFacts, DeviceError>;

    /// Enqueues a kernel.
    ///
    /// # Safety
    /// The arguments are what the kernel expects, in number, type and order, and their pointers stay valid until it has run.
    unsafe fn launch(
        &self,
        stream: RawStream,
        function: RawFunction,
        config: &LaunchConfig,
        arguments: &[Argument],
    ) -> Result<(), DeviceError>;

    /// Allocates in the order of the stream. Zero bytes give an allocation too.
    fn allocate_async(&self, size: usize, stream: RawStream) -> Result<DevicePtr, DeviceError>;

    /// Frees in the order of the stream.
    ///
    /// # Safety
    /// `pointer` came from `allocate_async` of this device, is freed once, and nothing enqueued later uses it.
    unsafe fn free_async(&self, pointer: DevicePtr, stream: RawStream) -> Result<(), DeviceError>;

    /// Copies to the device, in the order of the stream. `from` may be reused when this returns.
    ///
    /// # Safety
    /// `to` points to as many bytes on this device.
    unsafe fn copy_to_device(&self, to: DevicePtr, from: &[u8], stream: RawStream) -> Result<(), DeviceError>;

    /// Copies from the device, in the order of the stream. Returns when the bytes are there.
    ///
    /// # Safety
    /// `from` points to as many bytes on this device.
    unsafe fn copy_from_device(&self, to: &mut [u8], from: DevicePtr, stream: RawStream) -> Result<(), DeviceError>;

    /// How much memory there is; `None`: the device does not say.
    fn memory_info(&self) -> Option<MemoryInfo>;
}
