//! A crate whose own types and functions bear the names of the prelude.
#![deny(warnings)]

use kina_observ::{FfiEnum, FfiError, ffi_span, span};

pub struct Ok(pub i64);
pub struct Err;
pub struct Some;
pub struct None;
pub struct Result;
pub struct Option;
pub struct String;
pub struct Box;
pub trait Send {}
pub trait Copy {}
pub trait FnOnce {}

#[derive(std::fmt::Debug, std::clone::Clone, std::marker::Copy, FfiEnum)]
#[repr(i32)]
pub enum Mode {
    Ok = 1,
    None = 2,
}

#[derive(std::fmt::Debug, FfiError)]
pub enum Failure {
    #[ffi_error(code = 1, help = "try again")]
    Err,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("failed")
    }
}

#[ffi_span("acme.prelude.plain", export = "acme_prelude_plain", fields(n, runtime.alloc.size = n))]
pub fn plain(n: i64, mode: Mode, text: &str, last: core::option::Option<&i64>) -> core::result::Result<i64, Failure> {
    let Ok(n) = Ok(n + mode as i64 + text.len() as i64);
    match last {
        core::option::Option::Some(last) => core::result::Result::Ok(n + last),
        core::option::Option::None => core::result::Result::Err(Failure::Err),
    }
}

#[ffi_span("acme.prelude.mode", export = "acme_prelude_mode")]
pub fn mode(mode: Mode, flag: bool) -> core::result::Result<core::result::Result<Mode, Failure>, Failure> {
    core::result::Result::Ok(if flag {
        core::result::Result::Ok(mode)
    } else {
        core::result::Result::Err(Failure::Err)
    })
}

#[ffi_span("acme.prelude.c", late(runtime.alloc.size))]
#[unsafe(no_mangle)]
pub extern "C" fn acme_prelude_c(n: i64) -> i32 {
    observ.runtime_alloc_size(n);
    0
}

#[span("acme.prelude.span", fields(n))]
fn rust(n: i64) -> core::result::Result<i64, Failure> {
    core::result::Result::Ok(n)
}

#[test]
fn types_named_like_the_prelude() {
    assert!(matches!(plain(1, Mode::None, "ab", core::option::Option::Some(&3)), core::result::Result::Ok(8)));
    assert!(matches!(mode(Mode::Ok, true), core::result::Result::Ok(core::result::Result::Ok(Mode::Ok))));
    assert_eq!(acme_prelude_c(1), 0);
    assert!(rust(1).is_ok());
}
