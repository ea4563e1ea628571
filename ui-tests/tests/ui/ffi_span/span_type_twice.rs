//! A function with two span types.

use kina_observ::ffi_span;

#[ffi_span("runtime.gpu.add", runtime.gpu.gelu)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
