//! An out parameter that would be read before it is written.

use kina_observ::ffi_span;

#[ffi_span(returns = i64, out = out)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64, out: *const i64) -> i32 {
    n
}

fn main() {}
