//! A word that `inner` does not know.

use kina_observ::ffi_span;

#[ffi_span(inner = ignore)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
