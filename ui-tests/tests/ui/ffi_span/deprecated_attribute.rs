//! An attribute under the name that it used to have.

use kina_observ::ffi_span;

#[ffi_span(fields(module_id = "6f1c9c1e"))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
