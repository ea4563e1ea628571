//! Devices, streams, kernels and events, and the time that kernels take on the device.
//! Invariant: measuring adds no synchronisation (`tests/device_time.rs`).

pub mod backend;
mod calls;
mod counts;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
mod error;
mod function;
mod graph;
mod launch;
mod live;
mod names;
mod shape;
mod sites;
mod stream;
mod timing;

use core::fmt;
use std::sync::Arc;

pub use backend::{KernelBackend, KernelFacts, KernelSource, MemoryInfo};
pub use calls::{launch_kernel, step_begin};
pub use counts::{LaunchCounts, launches};
pub use error::DeviceError;
pub use function::Function;
pub use graph::Graph;
#[doc(hidden)]
pub use launch::{Launch, synchronized, waits_for};
pub(crate) use live::{Frozen, finish, freeze};
pub use names::{KernelLabel, launches_by_kernel};
pub use shape::{Argument, DevicePtr, LaunchConfig, LaunchShape, OnStream};
pub use stream::{Event, Stream};

use crate::pinned;

/// Something that runs kernels.
#[derive(Clone)]
pub struct Device(Arc<dyn KernelBackend>);

impl Device {
    /// The CPU as a device: kernels are Rust functions, each stream is a thread.
    pub fn cpu() -> Self {
        Self::new(cpu::Cpu::new())
    }

    /// A device with a backend of your own.
    pub fn new(backend: impl KernelBackend) -> Self {
        // Its threads, and what the driver calls, run code of this library.
        pinned::pin();
        Self(Arc::new(backend))
    }

    /// Its name, which is `runtime.device` on its spans: `cpu:0`, `cuda:0`.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Makes a stream.
    ///
    /// # Errors
    /// The driver, or the operating system, refuses.
    pub fn stream(&self, name: &str) -> Result<Stream, DeviceError> {
        let raw = self.0.create_stream(name)?;
        Ok(Stream::new(self.clone(), raw, name))
    }

    /// How much memory there is; `None`: the device does not say.
    pub fn memory_info(&self) -> Option<MemoryInfo> {
        self.0.memory_info()
    }

    /// Finds a kernel by its name.
    ///
    /// # Errors
    /// There is none, or its source cannot be loaded.
    pub fn load(&self, source: KernelSource<'_>, name: &str) -> Result<Function, DeviceError> {
        let raw = self.0.load(source, name)?;
        Ok(Function::new(self.clone(), raw, name))
    }

    /// What the device is made of.
    pub fn backend(&self) -> &dyn KernelBackend {
        &*self.0
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}
