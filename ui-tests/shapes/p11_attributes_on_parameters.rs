//! `cfg` and lint levels on parameters.

#[kina_observ::span("free.plain")]
pub fn plain(n: i64, #[cfg(unix)] _m: i64, #[cfg(not(unix))] _k: u8, #[allow(unused_variables)] spare: u8) -> i64 {
    n
}

#[kina_observ::span("free.later")]
pub async fn later(n: i64, #[cfg(not(unix))] _k: u8, #[allow(unused_variables)] spare: u8) -> i64 {
    n
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported_p11(n: i64, #[cfg(not(unix))] _k: u8, #[expect(unused_variables)] spare: u8) -> i32 {
    n as i32
}
