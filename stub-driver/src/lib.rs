//! A CUDA driver for tests: streams are threads, kernels are Rust functions, and every call is written to a log.
//!
//! [`install`] puts it into a folder as `libcuda.so`; a process that starts with that folder in `LD_LIBRARY_PATH` gets it from cudarc.
//!
//! | variable | what |
//! |---|---|
//! | `STUB_DRIVER_LOG` | the file that gets a JSON line for each call, and one for each kernel that ran |
//! | `STUB_DRIVER_MEMORY` | bytes of device memory; 1 GiB if unset |
//! | `STUB_DRIVER_VERSION` | what `cuDriverGetVersion` says; 12080 if unset |
//! | `STUB_DRIVER_DEVICES` | how many devices there are; 1 if unset, and `cuInit` fails with 0 |
//!
//! A call's line has `call`, `result`, `thread`, `at_ns` and what it was about (`stream`, `event`, `bytes`, ..). A kernel's line has
//! `ran`, `stream`, `launch` (the number in the line of its `cuLaunchKernel`), `begin_ns` and `duration_ns`, by the stream's own
//! account: work that was waiting begins when the work before it ends, and events read the same account.
//!
//! # Modelled
//!
//! Streams in order and beside each other; events with generations (a wait is for what was recorded when it was called, not for what is
//! recorded later); stream-ordered memory under a cap, at addresses that are never given out twice; pointers checked against what is
//! allocated, and the sticky `CUDA_ERROR_ILLEGAL_ADDRESS`; a context that must be current; capture with its three modes, the calls it
//! forbids, its invalidation, and streams that join it; graph launches; host callbacks.
//!
//! # Not modelled
//!
//! It tests our code, not CUDA. It reads of PTX the names of the entries and nothing else, and knows the kernels in `kernels.rs` only.
//! Registers and occupancy are plausible numbers. Devices share one memory; there are no peer copies, managed memory, pinned host memory,
//! graph memory nodes, graph updates, stream priorities or cluster launches. All three default streams are one, and it does not wait for
//! the others. A pool keeps nothing back, so `used` is `reserved`, and memory is free again when the free is *called*, as it would be for
//! the next allocation on that stream. Nothing here says how long a real launch, event or copy takes.

mod abi;
mod capture;
mod codes;
mod driver;
mod event;
mod exports;
mod install;
mod kernels;
mod log;
mod memory;
mod module;
mod operation;
mod stream;

pub use install::install;

/// PTX of the kernels that this driver knows, for any device from compute capability 5.2 on: those of the example runtime, and more.
pub const PTX: &str = concat!(include_str!("../../examples/runtime/src/kernels.ptx"), include_str!("more.ptx"));

/// CUDA C of the same kernels, for NVRTC. The comment at each says what its arguments are.
pub const CUDA_C: &str = concat!(include_str!("../../examples/runtime/src/kernels.cu"), include_str!("more.cu"));
