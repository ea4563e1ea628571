//! A crate without unsafe code.

#![forbid(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]

#[kina_observ::span("free.plain", fields(n))]
pub fn plain(n: i64) -> i64 {
    n
}

#[kina_observ::span("free.later", fields(n))]
pub async fn later(n: i64) -> i64 {
    n
}

#[kina_observ::span("free.tail")]
pub fn tail(n: i64) -> impl Future<Output = i64> {
    async move { n }
}
