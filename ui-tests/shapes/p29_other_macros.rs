//! Beside other attribute macros, and under a condition.

use async_trait::async_trait;

#[async_trait]
pub trait Load {
    async fn load(&self, n: i64) -> i64;
}

pub struct Disk;

#[async_trait]
impl Load for Disk {
    #[cfg_attr(all(), kina_observ::span("free.load"))]
    #[inline]
    async fn load(&self, n: i64) -> i64 {
        n
    }
}

#[cfg_attr(all(), kina_observ::span("free.plain"))]
pub fn plain(n: i64) -> i64 {
    n
}

#[cfg_attr(any(), kina_observ::span("free.never"))]
pub fn never(n: i64) -> i64 {
    n
}
