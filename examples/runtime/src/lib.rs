//! A tensor runtime with 17 C entry points, all annotated: what a runtime that uses `kina_observ` looks like.
//!
//! Kernels, streams, events and memory are those of `kina_observ::device` and `kina_observ::memory`. A `runtime_gpu_*` call checks,
//! launches and returns. On the CPU the work is a span `runtime.kernel.execute` on the stream's thread, whose parent is the call; on a
//! GPU (feature `cuda`, `KINA_RUNTIME_BACKEND=cuda`) it is what the device measures, `runtime.kernel.device`, at level `kernel`.
//! Codes: [`error`]. Ownership: `c/kina_runtime.h`.

pub mod backend;
pub mod dtype;
pub mod entry;
pub mod error;
mod fault;
pub mod kernels;
pub mod launch;
pub mod memory;
mod on_cpu;
pub mod stream;
pub mod tensor;

kina_observ::conventions!();
kina_observ::export_c_api!("kina");
