//! What C calls, with every attribute that exports it.

#[kina_observ::ffi_span("free.before")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free_before(pointer: *const i64, n: usize) -> i32 {
    // SAFETY: the caller's.
    unsafe { *pointer.add(n) as i32 }
}

#[unsafe(no_mangle)]
#[kina_observ::ffi_span("free.after")]
pub extern "C" fn free_after(n: i32) -> i32 {
    n
}

#[kina_observ::ffi_span("free.named")]
#[unsafe(export_name = "free_other_name")]
pub extern "C" fn free_named(n: i32) -> i32 {
    n
}

#[kina_observ::ffi_span("free.placed")]
#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.free")]
pub extern "C" fn free_placed(n: i32) -> i32 {
    n
}

#[kina_observ::ffi_span("free.unwinding")]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn free_unwinding(n: i32) -> i32 {
    n
}

#[kina_observ::span("free.system")]
pub extern "system" fn system(n: i32) -> i32 {
    n
}

#[kina_observ::span("free.recorded")]
pub unsafe extern "C" fn recorded(pointer: *const i32) -> i32 {
    // SAFETY: the caller's.
    unsafe { *pointer }
}
