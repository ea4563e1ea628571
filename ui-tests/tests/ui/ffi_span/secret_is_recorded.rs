//! A secret that `fields(..)` names, and one that the registry would record.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_copy_h2d", fields(runtime.copy.size = key.len()))]
pub fn copy_h2d(#[ffi(secret)] key: &[u8]) -> i64 {
    key.len() as i64
}

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(#[ffi(secret)] n: i64) -> i64 {
    n
}

#[ffi_span("acme.pay", fields(pin))]
#[unsafe(no_mangle)]
pub extern "C" fn acme_pay(#[ffi(secret)] pin: i64) -> i32 {
    pin as i32
}

fn main() {}
