//! An ABI that is not the C ABI everywhere.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "system" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
