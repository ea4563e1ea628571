//! A function with two span attributes.

use kina_observ::{ffi_span, span};

#[ffi_span]
#[span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
