//! An attribute that the registry knows, on a span that does not list it.

use kina_observ::ffi_span;

#[ffi_span(fields(runtime.copy.size = n * 4))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
