//! Parameters that are compiled in or out, with their attributes and their checks.
#![deny(warnings)]

use kina_observ::{ffi_span, span};

#[ffi_span("acme.cfg.plain", export = "acme_cfg_plain", fields(gone, kept, n))]
pub fn plain(#[cfg(any())] gone: i64, #[cfg(not(any()))] kept: i64, n: i64, #[cfg(any())] text: &str) -> i64 {
    kept + n
}

#[ffi_span("acme.cfg.c", fields(gone, kept))]
#[unsafe(no_mangle)]
pub extern "C" fn acme_cfg_c(
    #[cfg(any())] gone: i64,
    #[cfg(not(any()))] kept: i64,
    #[allow(unused)] unused: i64,
) -> i32 {
    kept as i32
}

#[span("acme.cfg.span", fields(gone, kept))]
fn rust(#[cfg(any())] gone: &str, #[cfg(not(any()))] kept: &str) -> usize {
    kept.len()
}

#[cfg(any())]
#[ffi_span("acme.cfg.none", export = "acme_cfg_none")]
pub fn none(n: Missing) -> i64 {
    n.missing()
}

#[test]
fn cfg_on_parameters() {
    assert_eq!(plain(1, 2), 3);
    assert_eq!(acme_cfg_c(1, 2), 1);
    assert_eq!(rust("ab"), 2);
}
