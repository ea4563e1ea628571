//! Everything that can be said about a parameter and a value.
#![deny(warnings)]

use core::ffi::c_void;
use kina_observ::ffi::ErrorCopy;
use kina_observ::{FfiEnum, FfiStruct, ffi_span};

#[derive(Clone, Copy, FfiEnum)]
#[repr(i32)]
pub enum Color {
    Red = 1,
}

#[derive(Clone, Copy, FfiStruct)]
#[repr(C)]
pub struct Extent {
    pub rows: i64,
    pub colors: [Color; 2],
    #[cfg(any())]
    pub gone: Missing,
}

#[ffi_span("acme.parameters.all", export = "acme_parameters_all", error = out, returns = Result<Extent, kina_observ::ffi::Fault>, fields(n))]
pub fn all(
    n: u32,
    #[ffi(len = "n")] a: &[f32],
    #[ffi(len = "n")] b: Option<&mut [f32]>,
    #[ffi(nullable, len = "n")] c: &[f32],
    #[ffi(nullable)] label: &str,
    #[ffi(secret)] key: Option<&str>,
    #[ffi(secret)] r#type: Color,
    #[cfg(any())]
    #[ffi(len = "n")]
    gone: &[Missing],
    done: extern "C-unwind" fn(*mut c_void),
    user: *mut c_void,
) -> Extent2 {
    done(user);
    let _ = (a, b, c, label, key, r#type);
    Ok(Extent { rows: n.into(), colors: [Color::Red; 2] })
}

type Extent2 = Result<Extent, kina_observ::ffi::Fault>;

#[ffi_span("acme.parameters.nothing", export = "acme_parameters_nothing", error = out)]
pub fn nothing() {}

#[ffi_span("acme.parameters.last", export = "acme_parameters_last", error = last)]
pub fn last(error: i64) -> *const i64 {
    core::ptr::without_provenance(error as usize)
}

#[ffi_span("acme.parameters.c", error = out)]
#[unsafe(no_mangle)]
pub extern "C" fn acme_parameters_c(#[ffi(secret)] pin: i64, error: *mut ErrorCopy) -> i32 {
    pin as i32
}

#[ffi_span("acme.parameters.silent", error = out)]
#[unsafe(no_mangle)]
pub extern "C" fn acme_parameters_silent(error: *mut ErrorCopy) {}
