//! Unsafe operations in unsafe functions are still asked to stand in blocks.

#[kina_observ::span("free.plain")]
pub unsafe fn plain(pointer: *const i64) -> i64 {
    *pointer
}

#[kina_observ::span("free.later")]
pub async unsafe fn later(pointer: *const i64) -> i64 {
    *pointer
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free_exported_p20(pointer: *const i32) -> i32 {
    *pointer
}

#[kina_observ::span("free.needless")]
pub fn needless(n: i64) -> i64 {
    unsafe { n }
}
