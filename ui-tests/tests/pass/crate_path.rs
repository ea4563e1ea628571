//! A crate that reaches the runtime through somebody's re-export.
#![deny(warnings)]

mod vendor {
    pub(crate) use kina_observ as observability;
}

use vendor::observability::{FfiEnum, FfiError, ffi_span, span};

#[derive(Debug, Clone, Copy, FfiEnum)]
#[ffi_enum(crate = crate::crate_path::vendor::observability)]
#[repr(i32)]
pub enum Mode {
    On = 1,
}

#[derive(Debug, FfiError)]
#[ffi_error(crate = crate::crate_path::vendor::observability)]
pub enum Failure {
    #[ffi_error(code = 1, help = "try again")]
    Broken,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("broken")
    }
}

#[ffi_span("acme.path.plain", export = "acme_path_plain", crate = crate::crate_path::vendor::observability)]
pub fn plain(mode: Mode) -> Result<i64, Failure> {
    match mode {
        Mode::On => Err(Failure::Broken),
    }
}

#[ffi_span("acme.path.c", crate = vendor::observability)]
#[unsafe(no_mangle)]
pub extern "C" fn acme_path_c() -> i32 {
    0
}

#[span("acme.path.span", crate = vendor::observability)]
fn rust() -> i64 {
    1
}

#[test]
fn crate_path() {
    assert!(plain(Mode::On).is_err());
    assert_eq!(i64::from(acme_path_c()) + rust(), 1);
}
