//! `err`, which `#[tracing::instrument]` has and `#[ffi_span]` does not need.

use kina_observ::ffi_span;

#[ffi_span(err)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
