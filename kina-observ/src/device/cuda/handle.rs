//! What the driver gives, and what is given back to it: each handle destroys what it stands for, once.

use std::ffi::CString;
use std::sync::Arc;

use cudarc::driver::result::DriverError;
use cudarc::driver::{CudaContext, CudaStream, result, sys};

/// Makes the context current in this thread. Unlike cudarc's own, it leaves errors that are parked in the context to the program.
pub(super) fn bind(context: &CudaContext) -> Result<(), DriverError> {
    if result::ctx::get_current()? == Some(context.cu_ctx()) {
        return Ok(());
    }
    // SAFETY: the context lives as long as the `CudaContext` that is borrowed.
    unsafe { result::ctx::set_current(context.cu_ctx()) }
}

/// An attribute of the context's device.
pub(super) fn attribute(context: &CudaContext, attribute: sys::CUdevice_attribute) -> Result<i32, DriverError> {
    // SAFETY: the context has a device.
    unsafe { result::device::get_attribute(context.cu_device(), attribute) }
}

/// A stream.
pub(super) struct Stream {
    address: u64,
    context: Arc<CudaContext>,
    /// The program's own stream, which is kept and not destroyed.
    borrowed: Option<Arc<CudaStream>>,
}

impl Stream {
    /// Raw, because cudarc synchronises the whole context when it makes its first stream.
    pub(super) fn create(context: &Arc<CudaContext>, name: &str) -> Result<Self, DriverError> {
        bind(context)?;
        let raw = result::stream::create(result::stream::StreamKind::NonBlocking)?;
        Ok(Self { address: raw as u64, context: Arc::clone(context), borrowed: None }.named(name))
    }

    pub(super) fn borrow(stream: &Arc<CudaStream>, name: &str) -> Self {
        let (address, context) = (stream.cu_stream() as u64, Arc::clone(stream.context()));
        Self { address, context, borrowed: Some(Arc::clone(stream)) }.named(name)
    }

    /// Tells a profiler how its row is called.
    fn named(self, name: &str) -> Self {
        #[cfg(feature = "nvtx")]
        // SAFETY: the stream is live as long as `self`.
        unsafe {
            crate::nvtx::name_cuda_stream(self.raw().cast(), name);
        }
        #[cfg(not(feature = "nvtx"))]
        let _ = name;
        self
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }

    pub(super) fn raw(&self) -> sys::CUstream {
        self.address as sys::CUstream
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.borrowed.is_none() && bind(&self.context).is_ok() {
            // SAFETY: made by `create`, and this is its only end. An error is one of work before, which `synchronize` tells.
            let _ = unsafe { result::stream::destroy(self.raw()) };
        }
    }
}

/// An event that keeps the time.
pub(super) struct Event {
    address: u64,
    context: Arc<CudaContext>,
}

impl Event {
    pub(super) fn create(context: &Arc<CudaContext>) -> Result<Self, DriverError> {
        bind(context)?;
        // cudarc's own events keep no time unless asked.
        let raw = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT)?;
        Ok(Self { address: raw as u64, context: Arc::clone(context) })
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }

    pub(super) fn raw(&self) -> sys::CUevent {
        self.address as sys::CUevent
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if bind(&self.context).is_ok() {
            // SAFETY: made by `create`, and this is its only end; the driver keeps it until what is enqueued has used it.
            let _ = unsafe { result::event::destroy(self.raw()) };
        }
    }
}

/// A graph that can be launched.
pub(super) struct Graph {
    address: u64,
    context: Arc<CudaContext>,
}

impl Graph {
    /// Ends the capture of `stream`.
    pub(super) fn end_capture(stream: &Stream) -> Result<Self, (&'static str, DriverError)> {
        // SAFETY: the stream is live.
        let captured =
            unsafe { result::stream::end_capture(stream.raw()) }.map_err(|error| ("cuStreamEndCapture", error))?;
        // SAFETY: the graph was just made.
        let made = unsafe { result::graph::instantiate(captured, sys::CUgraphInstantiate_flags(0)) };
        // SAFETY: as above, and what was instantiated does not need it.
        let _ = unsafe { result::graph::destroy(captured) };
        let raw = made.map_err(|error| ("cuGraphInstantiateWithFlags", error))?;
        Ok(Self { address: raw as u64, context: Arc::clone(&stream.context) })
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }

    pub(super) fn raw(&self) -> sys::CUgraphExec {
        self.address as sys::CUgraphExec
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if bind(&self.context).is_ok() {
            // SAFETY: made by `end_capture`, and this is its only end; a launch under way still ends.
            let _ = unsafe { result::graph::exec_destroy(self.raw()) };
        }
    }
}

/// Code that the driver has loaded.
pub(super) struct Module {
    address: u64,
    context: Arc<CudaContext>,
}

impl Module {
    pub(super) fn load(context: &Arc<CudaContext>, ptx: &CString) -> Result<Self, DriverError> {
        bind(context)?;
        // SAFETY: PTX is a text that ends in NUL.
        let raw = unsafe { result::module::load_data(ptx.as_ptr().cast()) }?;
        Ok(Self { address: raw as u64, context: Arc::clone(context) })
    }

    pub(super) fn function(self: &Arc<Self>, name: CString) -> Result<Function, DriverError> {
        // SAFETY: the module is live.
        let raw = unsafe { result::module::get_function(self.address as sys::CUmodule, name) }?;
        Ok(Function { address: raw as u64, _module: Arc::clone(self) })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if bind(&self.context).is_ok() {
            // SAFETY: made by `load`, and this is its only end: every function keeps its module.
            let _ = unsafe { result::module::unload(self.address as sys::CUmodule) };
        }
    }
}

/// A kernel.
pub(super) struct Function {
    address: u64,
    _module: Arc<Module>,
}

impl Function {
    pub(super) fn address(&self) -> u64 {
        self.address
    }

    pub(super) fn raw(&self) -> sys::CUfunction {
        self.address as sys::CUfunction
    }
}
