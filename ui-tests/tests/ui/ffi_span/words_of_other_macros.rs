//! The other words that people bring along from other macros.

use kina_observ::ffi_span;

#[ffi_span(name = "add", target = "gpu", kind = client, attrs(n), labels(n))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
