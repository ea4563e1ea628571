//! `nullable` where null could become no value, or where the type says it already.

use core::ffi::c_void;
use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(
    #[ffi(nullable)] n: i64,
    #[ffi(nullable)] pool: &u64,
    #[ffi(nullable)] label: Option<&str>,
    #[ffi(nullable)] user: *mut c_void,
    #[ffi(nullable)] done: extern "C-unwind" fn(i32),
) -> i64 {
    let _ = (pool, label, user, done);
    n
}

fn main() {}
