//! The device that everything runs on: the CPU, or a GPU where `KINA_RUNTIME_BACKEND` says so.
//! Invariant: it is opened once, by the first call that needs it (`a_choice_stands_once_the_device_is_open`), and once more in a
//! forked child, whose parent's streams it has not (`a_thousand_children_of_a_tracing_process_trace_for_themselves`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use kina_observ::device::{Device, Function, KernelSource, Stream};
use kina_observ::memory::TracingMemoryResource;

use crate::error::DriverError;
use crate::memory::{Limited, Memory};
use crate::on_cpu::{self, Calls};
use crate::stream::Worker;

/// What runs the kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// Rust functions on the threads of the CPU.
    Cpu,
    /// The first CUDA device, with the kernels of `kernels.ptx`.
    Cuda,
}

/// The kernels, which `on_cpu.rs` and `kernels.ptx` have under the same names.
pub const KERNELS: [&str; 6] = ["add_f32", "gelu_f32", "layernorm_f32", "matmul_f32", "softmax_f32", "transpose_f32"];

/// The kernels for any GPU since 2014, as a driver from CUDA 10.1 on reads them.
#[cfg(feature = "cuda")]
pub const PTX: &str = include_str!("kernels.ptx");

static CHOSEN: OnceLock<Option<Backend>> = OnceLock::new();

/// The open device.
pub struct Opened {
    /// What runs the kernels.
    pub backend: Backend,
    /// The device.
    pub device: Device,
    /// The tensors' memory, with a ledger.
    pub memory: TracingMemoryResource<Limited<Memory>>,
    kernels: HashMap<&'static str, Function>,
    /// Streams so far, so that a stream's name can have its number.
    streams: Mutex<i64>,
    pub(crate) stream_of_memory: OnceLock<Result<Stream, DriverError>>,
    pub(crate) default: Mutex<Option<Arc<Worker>>>,
    /// Every live worker, so that the device can be synchronised.
    pub(crate) workers: Mutex<Vec<Weak<Worker>>>,
    pub(crate) calls: Mutex<Calls>,
}

/// A process and its device. Its children, which are forked, have theirs: of a device's locks and threads a fork keeps nothing that
/// works. No lock is held while one is looked up, so that any thread may fork at any time.
struct Life {
    process: u32,
    opened: Result<Opened, DriverError>,
    child: OnceLock<Box<Self>>,
}

impl Life {
    fn begin(process: u32) -> Self {
        Self { process, opened: open(), child: OnceLock::new() }
    }
}

/// Chooses the backend for this process, in place of `KINA_RUNTIME_BACKEND`. False: another choice stands already.
pub fn choose(backend: Backend) -> bool {
    *CHOSEN.get_or_init(|| Some(backend)) == Some(backend)
}

/// The device, which the first call opens.
pub fn opened() -> Result<&'static Opened, DriverError> {
    static FIRST: OnceLock<Life> = OnceLock::new();
    let process = std::process::id();
    let mut life = FIRST.get_or_init(|| Life::begin(process));
    while life.process != process {
        life = life.child.get_or_init(|| Box::new(Life::begin(process)));
    }
    life.opened.as_ref().map_err(Clone::clone)
}

fn open() -> Result<Opened, DriverError> {
    let backend = (*CHOSEN.get_or_init(from_environment)).ok_or(DriverError::InvalidBackend)?;
    let (device, memory, source) = match backend {
        Backend::Cpu => on_cpu::open(),
        Backend::Cuda => cuda()?,
    };
    let load = |name: &'static str| Ok((name, device.load(source, name).map_err(DriverError::unavailable)?));
    let kernels = KERNELS.into_iter().map(load).collect::<Result<_, DriverError>>()?;
    let memory = TracingMemoryResource::new(Limited::new(memory));
    Ok(Opened {
        backend,
        device,
        memory,
        kernels,
        streams: Mutex::default(),
        stream_of_memory: OnceLock::new(),
        default: Mutex::default(),
        workers: Mutex::default(),
        calls: Mutex::default(),
    })
}

fn from_environment() -> Option<Backend> {
    match std::env::var_os("KINA_RUNTIME_BACKEND") {
        None => Some(Backend::Cpu),
        Some(name) if name == "cpu" => Some(Backend::Cpu),
        Some(name) if name == "cuda" => Some(Backend::Cuda),
        Some(_) => None,
    }
}

#[cfg(feature = "cuda")]
fn cuda() -> Result<(Device, Memory, KernelSource<'static>), DriverError> {
    let device = Device::cuda(0).map_err(DriverError::unavailable)?;
    let memory = kina_observ::memory::CudaAsyncMemoryResource::new(&device).map_err(DriverError::unavailable)?;
    // Calls are this device's, not that of `kina-observ.toml`.
    kina_observ::set_default_device(&device.name());
    Ok((device, Box::new(memory), KernelSource::Ptx(PTX)))
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<(Device, Memory, KernelSource<'static>), DriverError> {
    Err(DriverError::BackendUnavailable("this library was built without the feature `cuda`".to_owned()))
}

impl Opened {
    /// A kernel by its name; every one of [`KERNELS`] is there.
    pub fn kernel(&self, name: &str) -> Option<&Function> {
        self.kernels.get(name)
    }

    /// Whether it is this process's own, and not the parent's of a forked child.
    pub fn is_here(&self) -> bool {
        opened().is_ok_and(|own| std::ptr::eq(own, self))
    }

    /// A stream, whose name has its number.
    pub fn stream(&self, role: &str) -> Result<Stream, DriverError> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let stream = self
            .device
            .stream(&format!("runtime-{role}-{}", *streams + 1))
            .map_err(|error| DriverError::of_stream(*streams + 1, error))?;
        *streams = stream.id();
        Ok(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_stands_once_the_device_is_open() {
        let opened = opened().expect("the CPU is always there");
        assert_eq!(opened.device.name(), "cpu:0");
        assert!(choose(Backend::Cpu));
        assert!(!choose(Backend::Cuda));
        assert!(KERNELS.iter().all(|name| opened.kernel(name).is_some()));
    }
}
