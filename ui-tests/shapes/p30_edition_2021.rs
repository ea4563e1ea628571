//! An older edition, and the runtime under another path.
//@edition: 2021

pub use kina_observ as observ;

#[kina_observ::span("free.plain", fields(n))]
pub fn plain(n: i64, gen: i64) -> Result<i64, std::fmt::Error> {
    Ok(n + gen)
}

#[kina_observ::span("free.later", crate = crate::observ)]
pub async fn later(n: &str) -> usize {
    n.len()
}

#[kina_observ::span("free.opaque", crate = crate::observ)]
pub fn opaque<'a>(n: &'a [i64], _m: &str) -> impl Iterator<Item = i64> + 'a {
    n.iter().copied()
}

#[kina_observ::ffi_span("free.exported", crate = crate::observ)]
#[no_mangle]
pub extern "C" fn free_exported_p30(n: i32) -> i32 {
    n
}
