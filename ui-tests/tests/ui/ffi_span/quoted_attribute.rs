//! An attribute in quotes.

use kina_observ::ffi_span;

#[ffi_span(fields("runtime.shape.n" = n))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
