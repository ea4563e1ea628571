//! A function without a span type, whose symbol no span in the registry matches.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_convolve(n: i64) -> i32 {
    n as i32
}

fn main() {}
