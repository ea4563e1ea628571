//! Callbacks out of which an exception could go unseen, and one that C cannot have.

use core::ffi::c_void;
use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64, done: Option<unsafe extern "C" fn(*mut c_void)>) -> i32 {
    i32::from(done.is_none()) + n as i32
}

#[ffi_span(export = "runtime_gpu_gelu")]
pub fn gelu(n: i64, done: extern "C" fn(i32), then: Option<fn(i32)>) -> i64 {
    let _ = (done, then);
    n
}

fn main() {}
