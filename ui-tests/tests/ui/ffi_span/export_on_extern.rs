//! `export` on a function that is a C function already.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub extern "C" fn add(n: i64) -> i32 {
    n as i32
}

fn main() {}
