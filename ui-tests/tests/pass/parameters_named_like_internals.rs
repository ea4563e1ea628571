//! Parameters and local names that generated code might use for itself.
#![deny(warnings)]

use core::mem::MaybeUninit;
use kina_observ::{ffi_span, span};

#[ffi_span("acme.names.plain", export = "acme_names_plain", fields(x, code, result))]
pub fn plain(x: i64, e: i64, result: i64, span: &[i64], guard: i64, code: i32, site: i64, late: bool) -> i64 {
    let entered = x + e + result + guard;
    entered + span.len() as i64 + i64::from(code) + site + i64::from(late)
}

#[ffi_span("acme.names.c", returns = i64, out = out, fields(x, late), late(runtime.stream.id))]
#[unsafe(no_mangle)]
pub extern "C" fn acme_names_c(
    x: i64,
    e: i64,
    result: i64,
    ok: i64,
    late: i64,
    out: Option<&mut MaybeUninit<i64>>,
) -> i32 {
    observ.runtime_stream_id(late);
    let fault = x + e + result + ok;
    fault + late
}

#[span("acme.names.span", fields(x, value))]
fn rust(x: i64, value: &str, body: i64, outcome: i64, on: i64) -> i64 {
    let r = body + outcome;
    x + value.len() as i64 + r + on
}

#[test]
fn parameters_named_like_internals() {
    assert_eq!(plain(1, 2, 3, &[4], 5, 6, 7, true), 26);
    let mut out = MaybeUninit::new(0);
    assert_eq!(acme_names_c(1, 2, 3, 4, 5, Some(&mut out)), 0);
    // SAFETY: it was initialised above.
    assert_eq!(unsafe { out.assume_init() }, 15);
    assert_eq!(rust(1, "ab", 3, 4, 5), 15);
}
