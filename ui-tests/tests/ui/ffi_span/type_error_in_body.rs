//! Type errors in the bodies: each is shown where the user made it.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(n: i64) -> i64 {
    let twice: i64 = "2";
    n * twice
}

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(n: i64) -> i32 {
    n
}

fn main() {}
