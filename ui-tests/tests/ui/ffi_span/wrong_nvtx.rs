//! A word that `nvtx` does not know, and a template with an attribute that the span has not.

use kina_observ::ffi_span;

#[ffi_span(nvtx = on)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

#[ffi_span(nvtx = "gelu {runtime.shape.m}")]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(n: i64) -> i32 {
    n as i32
}

fn main() {}
