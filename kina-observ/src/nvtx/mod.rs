//! Ranges for Nsight Systems, Nsight Compute and every other tool that listens to NVTX. Feature `nvtx`.
//! Invariant: what a thread pushes it pops, whatever leaves the function (`kina-observ/tests/nvtx_ranges.rs`).
//!
//! The attributes do it: a span whose type has an NVTX text is a range of the domain `kina`, on the thread that runs it. This module is
//! for what no attribute knows: the names of CUDA streams.

mod names;
mod sink;

use core::cell::Cell;
use core::ffi::c_void;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use kina_observ_conventions::Level;

pub(crate) use names::{Frozen, freeze};

use crate::errno::KeepErrno;
use crate::gate;
use crate::local::Local;
use crate::site::Site;
use crate::value::Value;

/// Whether a tool is attached and takes ranges: false before the first annotated call of a process that did not call `init`.
pub fn is_attached() -> bool {
    gate::takes_ranges()
}

/// Names a CUDA stream (a `CUstream` of the driver) in the tool; without a tool it does nothing.
///
/// # Safety
/// `stream` is a stream of this process that has not been destroyed: tools may ask the driver about it.
pub unsafe fn name_cuda_stream(stream: *mut c_void, name: &str) {
    if gate::takes_ranges() {
        let _errno = KeepErrno::new();
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe { sink::name_cuda_stream(stream, name) };
    }
}

/// Asks for a tool, and opens the gate for the ranges of spans up to `level` if there is one.
pub(crate) fn attach(level: Level) {
    let _errno = KeepErrno::new();
    let attached = level != Level::Off && sink::attach();
    gate::take_ranges(if attached { level } else { Level::Off });
}

/// Opens the range of a frame. `value` gives the site's values by their place.
#[cold]
pub(crate) fn open<'a>(local: &Local, site: &'static Site, depth: usize, value: &dyn Fn(usize) -> Value<'a>) {
    let _errno = KeepErrno::new();
    name_thread(local);
    if let Some(name) = names::of(site, value) {
        sink::push(name, local.span_id_at(depth));
        local.mark_range(depth);
    }
}

/// Closes the ranges of the frames from `first` on.
pub(crate) fn close(local: &Local, first: usize) {
    for _ in 0..local.take_ranges(first) {
        let _errno = KeepErrno::new();
        sink::pop();
    }
}

/// Once a thread, at its first range: a tool that is loaded may not be ready for names yet.
fn name_thread(local: &Local) {
    thread_local! {
        static NAMED: Cell<bool> = const { Cell::new(false) };
    }
    if !NAMED.replace(true) {
        // A thread that is ending may not know its name any more.
        if let Ok(name) = catch_unwind(AssertUnwindSafe(|| local.thread_name())) {
            sink::name_thread(&name);
        }
    }
}
