//! Functions as values, callbacks, opaque pointers.

use std::ffi::c_void;

#[repr(C)]
pub struct Opaque {
    _private: [u8; 0],
}

#[kina_observ::ffi_span("free.called")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free_called(call: Option<unsafe extern "C-unwind" fn(*mut c_void) -> i32>, with: *mut c_void, opaque: *mut Opaque) -> i32 {
    let _ = opaque.is_null();
    match call {
        // SAFETY: the caller's.
        Some(call) => unsafe { call(with) },
        None => 0,
    }
}

pub const CALLED: unsafe extern "C" fn(Option<unsafe extern "C-unwind" fn(*mut c_void) -> i32>, *mut c_void, *mut Opaque) -> i32 = free_called;

#[kina_observ::span("free.plain")]
pub fn plain(n: i64) -> i64 {
    n
}

pub const PLAIN: fn(i64) -> i64 = plain;
