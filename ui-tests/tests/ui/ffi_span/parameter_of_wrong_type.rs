//! A parameter with the name of an attribute and a type that can never be its value.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: *const i64) -> i32 {
    n.is_null() as i32
}

fn main() {}
