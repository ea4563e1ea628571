//! A CUDA device as a backend: each method is a few calls of the driver, none of which waits unless that is what it is for.

use core::ffi::c_void;
use core::time::Duration;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUfunction_attribute as FunctionAttribute};
use cudarc::driver::{CudaContext, CudaStream, DriverError, result};

use super::error::failed;
use super::handle::{self, Event, Function, Graph, Stream, bind};
use super::source::Modules;
use super::table::Table;
use crate::device::backend::{RawEvent, RawFunction, RawGraph, RawStream};
use crate::device::{
    Argument, DeviceError, DevicePtr, KernelBackend, KernelFacts, KernelSource, LaunchConfig, MemoryInfo,
};

/// One context, shared by every `Device` of it.
pub(super) struct Cuda(pub(super) Arc<Shared>);

pub(super) struct Shared {
    pub(super) context: Arc<CudaContext>,
    /// 80 for compute capability 8.0.
    capability: i32,
    threads_of_multiprocessor: i32,
    streams: Table<Stream>,
    events: Table<Event>,
    graphs: Table<Graph>,
    functions: Table<Function>,
    modules: Modules,
}

impl Shared {
    pub(super) fn new(context: &Arc<CudaContext>) -> Result<Self, DeviceError> {
        let ask = |attribute| handle::attribute(context, attribute).map_err(failed("cuDeviceGetAttribute"));
        let major = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        Ok(Self {
            context: Arc::clone(context),
            capability: major * 10 + minor,
            threads_of_multiprocessor: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?,
            streams: Table::new("stream"),
            events: Table::new("event"),
            graphs: Table::new("graph"),
            functions: Table::new("kernel"),
            modules: Modules::default(),
        })
    }

    pub(super) fn adopt(&self, stream: &Arc<CudaStream>, name: &str) -> RawStream {
        let stream = Stream::borrow(stream, name);
        RawStream(self.streams.insert(stream.address(), stream))
    }

    pub(super) fn bind(&self) -> Result<(), DeviceError> {
        bind(&self.context).map_err(failed("cuCtxSetCurrent"))
    }

    /// The stream, with its context current in this thread.
    fn stream(&self, raw: RawStream) -> Result<Arc<Stream>, DeviceError> {
        let stream = self.streams.find(raw.0)?;
        self.bind()?;
        Ok(stream)
    }

    fn is_capturing(&self, stream: &Stream) -> Result<bool, DeviceError> {
        // SAFETY: the stream is live while the caller has it.
        let status = unsafe { result::stream::is_capturing(stream.raw()) };
        let status = status.map_err(failed("cuStreamIsCapturing"))?;
        Ok(status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
    }

    /// The stream, if it does not capture. A graph would keep a pointer to what is borrowed for one call.
    fn running(&self, raw: RawStream, what: &'static str) -> Result<Arc<Stream>, DeviceError> {
        let stream = self.stream(raw)?;
        if self.is_capturing(&stream)? { Err(DeviceError::Capturing { what }) } else { Ok(stream) }
    }

    fn function_attribute(&self, function: &Function, attribute: FunctionAttribute) -> Result<i32, DeviceError> {
        // SAFETY: the function is live while the caller has it.
        let answer = unsafe { result::function::get_function_attribute(function.raw(), attribute) };
        answer.map_err(failed("cuFuncGetAttribute"))
    }
}

impl KernelBackend for Cuda {
    fn name(&self) -> String {
        format!("cuda:{}", self.0.context.ordinal())
    }

    fn create_stream(&self, name: &str) -> Result<RawStream, DeviceError> {
        let stream = Stream::create(&self.0.context, name).map_err(failed("cuStreamCreate"))?;
        Ok(RawStream(self.0.streams.insert(stream.address(), stream)))
    }

    fn destroy_stream(&self, stream: RawStream) {
        self.0.streams.remove(stream.0);
    }

    fn synchronize(&self, stream: RawStream) -> Result<(), DeviceError> {
        let stream = self.0.running(stream, "synchronize")?;
        // SAFETY: the stream is live.
        unsafe { result::stream::synchronize(stream.raw()) }.map_err(failed("cuStreamSynchronize"))
    }

    fn is_capturing(&self, stream: RawStream) -> Result<bool, DeviceError> {
        let stream = self.0.stream(stream)?;
        self.0.is_capturing(&stream)
    }

    fn begin_capture(&self, stream: RawStream) -> Result<(), DeviceError> {
        let stream = self.0.running(stream, "begin_capture")?;
        // In the other modes a thread that asks an event of another stream would invalidate the capture.
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: the stream is live.
        unsafe { result::stream::begin_capture(stream.raw(), mode) }.map_err(failed("cuStreamBeginCapture_v2"))
    }

    fn end_capture(&self, stream: RawStream) -> Result<RawGraph, DeviceError> {
        let stream = self.0.stream(stream)?;
        if !self.0.is_capturing(&stream)? {
            return Err(DeviceError::NotCapturing);
        }
        let graph = Graph::end_capture(&stream).map_err(|(call, error)| failed(call)(error))?;
        Ok(RawGraph(self.0.graphs.insert(graph.address(), graph)))
    }

    fn launch_graph(&self, stream: RawStream, graph: RawGraph) -> Result<(), DeviceError> {
        let (stream, graph) = (self.0.stream(stream)?, self.0.graphs.find(graph.0)?);
        // SAFETY: both are live; what the graph touches was promised when it was captured.
        unsafe { result::graph::launch(graph.raw(), stream.raw()) }.map_err(failed("cuGraphLaunch"))
    }

    fn destroy_graph(&self, graph: RawGraph) {
        self.0.graphs.remove(graph.0);
    }

    fn create_event(&self) -> Result<RawEvent, DeviceError> {
        let event = Event::create(&self.0.context).map_err(failed("cuEventCreate"))?;
        Ok(RawEvent(self.0.events.insert(event.address(), event)))
    }

    fn destroy_event(&self, event: RawEvent) {
        self.0.events.remove(event.0);
    }

    fn record(&self, stream: RawStream, event: RawEvent) -> Result<(), DeviceError> {
        let (stream, event) = (self.0.stream(stream)?, self.0.events.find(event.0)?);
        // SAFETY: both are live.
        unsafe { result::event::record(event.raw(), stream.raw()) }.map_err(failed("cuEventRecord"))
    }

    fn is_complete(&self, event: RawEvent) -> Result<bool, DeviceError> {
        let event = self.0.events.find(event.0)?;
        self.0.bind()?;
        let _relaxed = Relaxed::enter()?;
        // SAFETY: the event is live.
        match unsafe { result::event::query(event.raw()) } {
            Ok(()) => Ok(true),
            Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_READY)) => Ok(false),
            Err(error) => Err(failed("cuEventQuery")(error)),
        }
    }

    fn elapsed(&self, start: RawEvent, end: RawEvent) -> Result<Duration, DeviceError> {
        let (start, end) = (self.0.events.find(start.0)?, self.0.events.find(end.0)?);
        self.0.bind()?;
        // cudarc's `elapsed_ms` would synchronise both.
        // SAFETY: both are live.
        match unsafe { result::event::elapsed(start.raw(), end.raw()) } {
            // A clock that is read twice at the same moment may answer a little less than nothing.
            Ok(milliseconds) => Ok(Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3)),
            Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_READY)) => Err(DeviceError::NotReady),
            Err(error) => Err(failed("cuEventElapsedTime")(error)),
        }
    }

    fn wait(&self, stream: RawStream, event: RawEvent) -> Result<(), DeviceError> {
        let (stream, event) = (self.0.stream(stream)?, self.0.events.find(event.0)?);
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: both are live.
        unsafe { result::stream::wait_event(stream.raw(), event.raw(), flags) }.map_err(failed("cuStreamWaitEvent"))
    }

    fn load(&self, source: KernelSource<'_>, name: &str) -> Result<RawFunction, DeviceError> {
        let function = self.0.modules.load(&self.0.context, self.0.capability, source, name)?;
        Ok(RawFunction(self.0.functions.insert(function.address(), function)))
    }

    fn unload(&self, function: RawFunction) {
        self.0.functions.remove(function.0);
    }

    fn facts(&self, function: RawFunction, block: [u32; 3], shared_memory: u32) -> Result<KernelFacts, DeviceError> {
        let function = self.0.functions.find(function.0)?;
        self.0.bind()?;
        let registers = self.0.function_attribute(&function, FunctionAttribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?;
        let shared = self.0.function_attribute(&function, FunctionAttribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?;
        // More than any device has is refused by the driver, in its own words.
        let threads = block.iter().fold(1_u32, |all, size| all.saturating_mul(*size)).min(i32::MAX as u32) as i32;
        // SAFETY: the function is live.
        let blocks = unsafe {
            result::occupancy::max_active_block_per_multiprocessor(function.raw(), threads, shared_memory as usize)
        };
        let blocks = blocks.map_err(failed("cuOccupancyMaxActiveBlocksPerMultiprocessor"))?;
        Ok(KernelFacts {
            registers: u32::try_from(registers).ok(),
            static_shared_memory: u32::try_from(shared).ok(),
            occupancy: (self.0.threads_of_multiprocessor > 0)
                .then(|| f64::from(blocks) * f64::from(threads) / f64::from(self.0.threads_of_multiprocessor)),
        })
    }

    unsafe fn launch(
        &self,
        stream: RawStream,
        function: RawFunction,
        config: &LaunchConfig,
        arguments: &[Argument],
    ) -> Result<(), DeviceError> {
        let (stream, function) = (self.0.stream(stream)?, self.0.functions.find(function.0)?);
        // The driver copies each argument from where its pointer leads, in the size that the kernel declares.
        let mut values: Vec<u64> = arguments.iter().map(bits).collect();
        let mut places: Vec<*mut c_void> = values.iter_mut().map(|value| (&raw mut *value).cast()).collect();
        let ([x, y, z], [block_x, block_y, block_z]) = (config.grid, config.block);
        // SAFETY: both are live, and the caller promises that the arguments are the kernel's.
        let launched = unsafe {
            result::launch_kernel(
                function.raw(),
                (x, y, z),
                (block_x, block_y, block_z),
                config.shared_memory,
                stream.raw(),
                &mut places,
            )
        };
        launched.map_err(failed("cuLaunchKernel"))
    }

    fn allocate_async(&self, size: usize, stream: RawStream) -> Result<DevicePtr, DeviceError> {
        // A graph's memory lives by rules of its own, which no ledger here knows.
        let stream = self.0.running(stream, "allocate")?;
        // The driver refuses zero bytes.
        let bytes = size.max(1);
        // SAFETY: the stream is live.
        match unsafe { result::malloc_async(stream.raw(), bytes) } {
            Ok(address) => Ok(DevicePtr::new(address)),
            Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => {
                let (free, total) = result::mem_get_info().unwrap_or_default();
                Err(DeviceError::OutOfMemory { requested: size as u64, free: free as u64, total: total as u64 })
            }
            Err(error) => Err(failed("cuMemAllocAsync")(error)),
        }
    }

    unsafe fn free_async(&self, pointer: DevicePtr, stream: RawStream) -> Result<(), DeviceError> {
        let stream = self.0.running(stream, "free")?;
        // SAFETY: the stream is live, and the caller promises the pointer.
        unsafe { result::free_async(pointer.as_u64(), stream.raw()) }.map_err(failed("cuMemFreeAsync"))
    }

    unsafe fn copy_to_device(&self, to: DevicePtr, from: &[u8], stream: RawStream) -> Result<(), DeviceError> {
        let stream = self.0.running(stream, "copy_to_device")?;
        if from.is_empty() {
            return Ok(());
        }
        // SAFETY: the stream is live, and the caller promises the target.
        unsafe { result::memcpy_htod_async(to.as_u64(), from, stream.raw()) }
            .map_err(failed("cuMemcpyHtoDAsync_v2"))?;
        if is_pinned(from) {
            // The driver stages other memory at once; this it reads later.
            // SAFETY: the stream is live.
            unsafe { result::stream::synchronize(stream.raw()) }.map_err(failed("cuStreamSynchronize"))?;
        }
        Ok(())
    }

    unsafe fn copy_from_device(&self, to: &mut [u8], from: DevicePtr, stream: RawStream) -> Result<(), DeviceError> {
        let stream = self.0.running(stream, "copy_from_device")?;
        if to.is_empty() {
            return Ok(());
        }
        // SAFETY: the stream is live, the caller promises the source, and below nothing returns before the copy is done.
        let copied = unsafe { result::memcpy_dtoh_async(to, from.as_u64(), stream.raw()) };
        // SAFETY: the stream is live.
        let done = unsafe { result::stream::synchronize(stream.raw()) };
        copied.map_err(failed("cuMemcpyDtoHAsync_v2"))?;
        done.map_err(failed("cuStreamSynchronize"))
    }

    fn memory_info(&self) -> Option<MemoryInfo> {
        self.0.bind().ok()?;
        let (free, total) = result::mem_get_info().ok()?;
        Some(MemoryInfo { free: free as u64, total: total as u64 })
    }
}

/// The argument, first byte first: the driver reads as many as the parameter has. Every CPU with CUDA is little-endian.
fn bits(argument: &Argument) -> u64 {
    match *argument {
        Argument::Pointer(pointer) => pointer.as_u64(),
        Argument::I32(value) => u64::from(value.cast_unsigned()),
        Argument::I64(value) => value.cast_unsigned(),
        Argument::U32(value) => u64::from(value),
        Argument::U64(value) => value,
        Argument::F32(value) => u64::from(value.to_bits()),
        Argument::F64(value) => value.to_bits(),
    }
}

/// Whether the driver reads the memory by itself: a copy from there is not staged.
fn is_pinned(memory: &[u8]) -> bool {
    const HOST: u32 = sys::CUmemorytype::CU_MEMORYTYPE_HOST as u32;
    let mut kind = 0_u32;
    let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    // SAFETY: the place takes the 32 bits of this attribute, and the address is only looked up.
    let answer = unsafe { sys::cuPointerGetAttribute((&raw mut kind).cast(), attribute, memory.as_ptr() as u64) };
    // Memory that the driver does not know is an error here, and the usual case.
    answer == sys::CUresult::CUDA_SUCCESS && kind == HOST
}

/// While it lives, what this thread asks disturbs no capture, whoever began it and in whatever mode.
struct Relaxed {
    before: sys::CUstreamCaptureMode,
}

impl Relaxed {
    fn enter() -> Result<Self, DeviceError> {
        exchange(sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED).map(|before| Self { before })
    }
}

impl Drop for Relaxed {
    fn drop(&mut self) {
        let _ = exchange(self.before);
    }
}

/// Sets the mode of this thread and tells the one before.
fn exchange(mut mode: sys::CUstreamCaptureMode) -> Result<sys::CUstreamCaptureMode, DeviceError> {
    // SAFETY: the place holds the new mode and is writable for the old.
    let answer = unsafe { sys::cuThreadExchangeStreamCaptureMode(&raw mut mode) };
    answer.result().map_err(failed("cuThreadExchangeStreamCaptureMode"))?;
    Ok(mode)
}
