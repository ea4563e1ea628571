//! A C function that returns something that is no status.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> f64 {
    n as f64
}

fn main() {}
