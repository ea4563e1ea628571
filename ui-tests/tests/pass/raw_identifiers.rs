//! Functions and parameters whose names are keywords.
#![deny(warnings)]

use core::mem::MaybeUninit;
use kina_observ::{ffi_span, span};

#[ffi_span("acme.raw.loop", export = "acme_raw_loop", fields(r#type))]
pub fn r#loop(r#type: i64, r#fn: &[i64], r#ref: Option<&i64>) -> i64 {
    r#type + r#fn.len() as i64 + r#ref.copied().unwrap_or(0)
}

#[ffi_span("acme.raw.match", fields(r#in), returns = i64, out = r#mut)]
#[unsafe(no_mangle)]
pub extern "C" fn r#match(r#in: i64, r#mut: Option<&mut MaybeUninit<i64>>) -> i32 {
    r#in
}

#[span("acme.raw.move", fields(r#struct))]
fn r#move(r#struct: &str) -> usize {
    r#struct.len()
}

#[test]
fn raw_identifiers() {
    assert_eq!(r#loop(1, &[2], Some(&3)), 5);
    let mut out = MaybeUninit::new(0);
    assert_eq!(r#match(7, Some(&mut out)), 0);
    assert_eq!(r#move("abc"), 3);
}
