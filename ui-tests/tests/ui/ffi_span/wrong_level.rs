//! Severities that do not exist.

use kina_observ::ffi_span;

#[ffi_span(level = warning)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

#[ffi_span(level = "debug")]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(n: i64) -> i32 {
    n as i32
}

#[ffi_span(level)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_device_count() -> i32 {
    1
}

fn main() {}
