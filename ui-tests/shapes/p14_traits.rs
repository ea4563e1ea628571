//! Methods of traits: declared with a body, implemented, asynchronous in three ways.

use async_trait::async_trait;
use std::fmt::Debug;

pub trait Load {
    type Out;

    fn load(&self, n: i64) -> Self::Out;

    #[kina_observ::span("free.twice")]
    fn twice(&self, n: i64) -> (Self::Out, Self::Out)
    where
        Self: Sized,
    {
        (self.load(n), self.load(n))
    }

    #[allow(async_fn_in_trait)]
    async fn later(&mut self, n: i64) -> Self::Out;
}

#[derive(Debug)]
pub struct Disk;

impl Load for Disk {
    type Out = i64;

    #[kina_observ::span("free.load")]
    fn load(&self, n: i64) -> Self::Out {
        n
    }

    #[kina_observ::span("free.later")]
    async fn later(&mut self, n: i64) -> Self::Out {
        self.load(n)
    }
}

#[async_trait]
pub trait Store {
    async fn store(&self, n: i64) -> Result<Box<dyn Debug>, std::fmt::Error>;

    #[kina_observ::span("free.twice_stored")]
    async fn twice(&self, text: &str) -> usize {
        let _ = self.store(1).await;
        text.len()
    }
}

#[async_trait]
impl Store for Disk {
    #[kina_observ::span("free.store")]
    async fn store(&self, n: i64) -> Result<Box<dyn Debug>, std::fmt::Error> {
        if n == 0 {
            return Err(std::fmt::Error);
        }
        Ok(Box::new(self.load(n)))
    }

    #[kina_observ::span("free.own")]
    async fn twice(&self, text: &str) -> usize {
        let Self = self;
        text.len()
    }
}
