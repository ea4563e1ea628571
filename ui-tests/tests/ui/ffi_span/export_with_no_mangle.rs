//! A plain function that is exported twice: under `export`, and as a Rust function.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
#[unsafe(no_mangle)]
pub fn gpu_add(n: i64) -> i64 {
    n
}

#[unsafe(no_mangle)]
#[ffi_span]
pub fn runtime_gpu_gelu(n: i64) -> i64 {
    n
}

fn main() {}
