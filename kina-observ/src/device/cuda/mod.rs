//! CUDA devices, through the driver that is found at run time.
//!
//! ```no_run
//! use kina_observ::device::{Argument, Device, KernelSource, LaunchConfig};
//!
//! let device = Device::cuda(0)?;
//! let stream = device.stream("main")?;
//! let add = device.load(KernelSource::Ptx(&std::fs::read_to_string("add.ptx")?), "add_one")?;
//! let values = stream.allocate(4 * 1_000)?;
//! let arguments = [Argument::Pointer(values), Argument::U32(1_000)];
//! // SAFETY: `add_one` takes a pointer to floats and their number, and `values` lives until the stream has caught up.
//! unsafe { stream.launch(&add, &LaunchConfig::for_elements(1_000), &arguments)? };
//! stream.synchronize()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backend;
mod error;
mod handle;
mod pool;
mod probe;
mod source;
mod table;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use cudarc::driver::{CudaContext, CudaStream, sys};

use super::{Device, DeviceError, LaunchShape, Stream};
use backend::{Cuda, Shared};
use error::{failed, unavailable};
pub(crate) use pool::Pool;
pub use probe::FUNCTIONS;

/// The driver's code for an argument that it does not take.
pub(crate) const INVALID_VALUE: i32 = sys::CUresult::CUDA_ERROR_INVALID_VALUE as i32;

impl Device {
    /// The CUDA device with this number, as the driver counts those that `CUDA_VISIBLE_DEVICES` shows.
    ///
    /// The first call loads the driver; before it nothing does.
    ///
    /// # Errors
    /// There is no driver, or no such device; the driver is too old, or lacks a function ([`FUNCTIONS`]), or refuses.
    pub fn cuda(ordinal: usize) -> Result<Self, DeviceError> {
        let count = probe::start()?;
        if !usize::try_from(count).is_ok_and(|count| ordinal < count) {
            return Err(unavailable(
                format!("there is no CUDA device {ordinal}: the driver has {count}, counted from 0"),
                "ask for one that is there, or see whether `CUDA_VISIBLE_DEVICES` hides it",
            ));
        }
        let context = CudaContext::new(ordinal).map_err(failed("cuDevicePrimaryCtxRetain"))?;
        Self::from_cuda(&context)
    }

    /// The device of a context that the program has already.
    ///
    /// # Errors
    /// As for [`cuda`](Self::cuda): the program may work with a driver that lacks what is called here.
    pub fn from_cuda(context: &Arc<CudaContext>) -> Result<Self, DeviceError> {
        probe::start()?;
        Ok(Self::new(Cuda(shared(context)?)))
    }
}

impl Stream {
    /// A stream that the program has already; it is kept, and not destroyed. What this stream does and what the program
    /// does with its own are in one order.
    ///
    /// # Errors
    /// As for [`Device::from_cuda`].
    pub fn from_cuda(stream: &Arc<CudaStream>, name: &str) -> Result<Self, DeviceError> {
        probe::start()?;
        let shared = shared(stream.context())?;
        let raw = shared.adopt(stream, name);
        Ok(Self::new(Device::new(Cuda(shared)), raw, name))
    }
}

/// One for each context, so that what one `Device` made is known to the next.
fn shared(context: &Arc<CudaContext>) -> Result<Arc<Shared>, DeviceError> {
    static ALL: Mutex<Vec<(u64, Weak<Shared>)>> = Mutex::new(Vec::new());
    let address = context.cu_ctx() as u64;
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|(_, shared)| shared.strong_count() > 0);
    if let Some(shared) = all.iter().find(|(known, _)| *known == address).and_then(|(_, shared)| shared.upgrade()) {
        return Ok(shared);
    }
    let shared = Arc::new(Shared::new(context)?);
    all.push((address, Arc::downgrade(&shared)));
    Ok(shared)
}

impl LaunchShape for cudarc::driver::LaunchConfig {
    fn grid(&self) -> [u32; 3] {
        self.grid_dim.into()
    }

    fn block(&self) -> [u32; 3] {
        self.block_dim.into()
    }

    fn shared_memory(&self) -> u32 {
        self.shared_mem_bytes
    }
}
