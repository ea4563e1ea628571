//! Callbacks, structs by value, opaque pointers and raw pointers of every kind.
#![deny(warnings)]

use core::ffi::{c_char, c_void};
use kina_observ::ffi_span;

// Without `Debug`: nothing of it is ever recorded.
#[repr(C)]
pub struct Opaque {
    _private: [u8; 0],
}

pub type Done = Option<unsafe extern "C" fn(*mut c_void, i32)>;

#[ffi_span("acme.callbacks.c", fields(n))]
#[unsafe(no_mangle)]
pub extern "C" fn acme_callbacks_c(
    n: i32,
    done: Option<unsafe extern "C-unwind" fn(*mut c_void, i32)>,
    user: *mut c_void,
) -> i32 {
    if let Some(done) = done {
        // SAFETY: `user` is what the callback expects.
        unsafe { done(user, n) };
    }
    0
}

#[ffi_span("acme.callbacks.alias")]
#[unsafe(no_mangle)]
pub extern "C" fn acme_callbacks_alias(
    done: Done,
    opaque: *const Opaque,
    text: *const c_char,
    last: Option<&Opaque>,
) -> i32 {
    i32::from(done.is_some()) + i32::from(opaque.is_null()) + i32::from(text.is_null()) + i32::from(last.is_none())
}

#[repr(C)]
pub struct Extent {
    pub rows: i64,
    pub columns: i64,
}

#[ffi_span("acme.callbacks.extent")]
#[unsafe(no_mangle)]
pub extern "C" fn acme_callbacks_extent(extent: Extent) -> i32 {
    (extent.rows * extent.columns) as i32
}

#[expect(clippy::not_unsafe_ptr_arg_deref)]
#[ffi_span("acme.callbacks.plain", export = "acme_callbacks_plain", fields(n))]
pub fn plain(n: i32, done: Option<unsafe extern "C-unwind" fn(*mut c_void, i32)>, user: *mut c_void) -> i32 {
    if let Some(done) = done {
        // SAFETY: `user` is what the callback expects.
        unsafe { done(user, n) };
    }
    n
}

unsafe extern "C-unwind" fn add(user: *mut c_void, n: i32) {
    // SAFETY: `main` passes an `i32`.
    unsafe { *user.cast::<i32>() += n };
}

unsafe extern "C-unwind" fn add_or_unwind(user: *mut c_void, n: i32) {
    // SAFETY: `main` passes an `i32`.
    unsafe { *user.cast::<i32>() += n };
}

#[test]
fn callbacks() {
    let mut sum = 0;
    let user = (&raw mut sum).cast::<c_void>();
    assert_eq!(acme_callbacks_c(1, Some(add), user), 0);
    assert_eq!(plain(2, Some(add_or_unwind), user), 2);
    assert_eq!(sum, 3);
    assert_eq!(acme_callbacks_extent(Extent { rows: 2, columns: 3 }), 6);
    assert_eq!(acme_callbacks_alias(None, core::ptr::null(), core::ptr::null(), None), 3);
}
