//! `unsafe` functions under the lints that watch over them, and safe ones in a module that forbids it.
#![deny(warnings, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use kina_observ::{ffi_span, span};

/// # Safety
/// `values` points at `n` numbers.
#[ffi_span("acme.unsafety.c", fields(n))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acme_unsafety_c(values: *const i64, n: usize) -> i32 {
    if values.is_null() {
        return 1;
    }
    // SAFETY: the caller says so.
    let values = unsafe { core::slice::from_raw_parts(values, n) };
    values.iter().sum::<i64>() as i32
}

/// # Safety
/// `value` points at a number.
#[ffi_span("acme.unsafety.plain", export = "acme_unsafety_plain")]
pub unsafe fn plain(value: *const i64) -> i64 {
    // SAFETY: the caller says so.
    unsafe { *value }
}

/// # Safety
/// `value` points at a number.
#[span("acme.unsafety.span")]
unsafe fn rust(value: *const i64) -> i64 {
    // SAFETY: the caller says so.
    unsafe { *value }
}

mod safe {
    #![forbid(unsafe_code)]

    #[kina_observ::span("acme.unsafety.safe", fields(n))]
    pub(crate) fn rust(n: i64) -> i64 {
        n
    }
}

#[test]
fn unsafe_code() {
    let values = [1, 2];
    // SAFETY: two numbers stand there.
    assert_eq!(unsafe { acme_unsafety_c(values.as_ptr(), 2) }, 3);
    // SAFETY: a number stands there.
    assert_eq!(unsafe { plain(&values[0]) }, 1);
    // SAFETY: a number stands there.
    assert_eq!(unsafe { rust(&values[1]) }, 2);
    assert_eq!(safe::rust(4), 4);
}
