//! Modules that are named like crates, and no prelude.

#![no_implicit_prelude]
#![allow(dead_code)]

mod core {}
mod std {}
mod alloc {}
mod tracing {}
mod kina_observ {}

#[::kina_observ::span("free.plain", fields(n))]
pub fn plain(n: i64) -> ::core::result::Result<i64, ::std::string::String> {
    ::core::result::Result::Ok(n)
}

#[::kina_observ::span("free.later", fields(n))]
pub async fn later(n: i64) -> i64 {
    n
}

#[::kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported_p24(n: i64) -> i32 {
    n as i32
}
