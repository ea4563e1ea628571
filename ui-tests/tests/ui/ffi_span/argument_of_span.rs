//! An argument that only `#[span]` takes.

use kina_observ::ffi_span;

#[ffi_span(parent = context)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
