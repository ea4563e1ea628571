//! A CPU tensor runtime with 17 C entry points, all annotated: what a runtime that uses `kina_observ` looks like.
//!
//! Streams are threads. A `runtime_gpu_*` call checks, enqueues and returns, and its span is the enqueue; the work is a span
//! `runtime.kernel.execute` on the stream's thread, whose parent is the call. Codes: [`error`]. Ownership: `c/kina_runtime.h`.

pub mod dtype;
pub mod entry;
pub mod error;
mod fault;
pub mod kernels;
pub mod launch;
pub mod memory;
pub mod queue;
pub mod stream;
pub mod tensor;

kina_observ::conventions!();
kina_observ::export_c_api!("kina");
