//! The user's own attributes, in every order, still do what they say.
#![deny(warnings)]

use kina_observ::{ffi_span, span};

/// Documented.
#[must_use]
#[unsafe(no_mangle)]
#[ffi_span("acme.kept.first", fields(n))]
pub extern "C" fn acme_kept_first(n: i64) -> i32 {
    n as i32
}

#[ffi_span("acme.kept.last", fields(n))]
#[unsafe(no_mangle)]
#[deprecated(note = "use the first")]
#[cold]
pub extern "C-unwind" fn acme_kept_last(n: i64) -> i32 {
    n as i32
}

#[ffi_span("acme.kept.named")]
#[unsafe(export_name = "acme_kept_other_name")]
pub extern "C" fn named() -> i32 {
    0
}

/// Documented.
#[ffi_span("acme.kept.plain", export = "acme_kept_plain")]
#[must_use = "it is a number"]
#[inline]
#[allow(clippy::many_single_char_names)]
pub fn plain(n: i64) -> i64 {
    n
}

#[deprecated]
#[ffi_span("acme.kept.old", export = "acme_kept_old")]
pub fn old(n: i64) -> i64 {
    n
}

#[span("acme.kept.span")]
#[must_use]
fn rust(n: i64) -> i64 {
    n
}

#[span("acme.kept.inner")]
fn inner(n: i64) -> i64 {
    #![allow(unused_variables)]
    let unused = 1;
    n
}

#[span("acme.kept.place")]
#[track_caller]
fn place() -> u32 {
    core::panic::Location::caller().line()
}

// A lint that the attribute silenced would leave an expectation unfulfilled, which is a warning.
#[expect(unused_variables)]
#[ffi_span("acme.kept.unused", export = "acme_kept_unused")]
pub fn unused(n: i64) -> i64 {
    let m = 1;
    2
}

#[expect(unused_variables)]
#[span("acme.kept.quiet")]
fn quiet(n: i64) {}

#[test]
fn attributes_are_kept() {
    // Taken as a constant: the symbol is a plain C function.
    const ENTRY: extern "C" fn(i64) -> i32 = acme_kept_first;
    assert_eq!(ENTRY(1), 1);
    #[expect(deprecated)]
    let sum = i64::from(acme_kept_last(1)) + old(1);
    assert_eq!(sum, 2);
    #[expect(unused_must_use)]
    acme_kept_first(1);
    #[expect(unused_must_use)]
    plain(1);
    #[expect(unused_must_use)]
    rust(1);
    quiet(1);
    assert_eq!(i64::from(named()) + plain(1) + rust(1) + inner(1) + unused(1), 5);
    assert_eq!((place(), line!()), (line!(), line!()));
}
