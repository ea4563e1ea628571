//! A span type without a namespace.

use kina_observ::ffi_span;

#[ffi_span(matmul)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

#[ffi_span("Gelu")]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(n: i64) -> i32 {
    n as i32
}

fn main() {}
