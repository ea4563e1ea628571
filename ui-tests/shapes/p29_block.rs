//! A whole block, beside another macro that rewrites it.
//@package: fixtures/unregistered_span

kina_observ::conventions!();

use async_trait::async_trait;

#[async_trait]
pub trait Load {
    async fn load(&self, n: i64) -> i64;
    fn size(&self) -> usize;
}

pub struct Disk;

#[kina_observ::span]
#[async_trait]
impl Load for Disk {
    async fn load(&self, n: i64) -> i64 {
        let unused = 1;
        n
    }

    fn size(&self) -> usize {
        return 1;
        2
    }
}

pub struct Other;

#[async_trait]
#[kina_observ::span]
impl Load for Other {
    async fn load(&self, n: i64) -> i64 {
        n
    }

    fn size(&self) -> usize {
        1
    }
}

#[kina_observ::span]
impl Disk {
    const SIZE: usize = { 3 };

    pub fn new(unused: u8) -> Self {
        Self
    }

    fn private(&self) -> usize {
        Self::SIZE
    }

    pub(crate) async fn shared(&self) -> usize {
        self.size()
    }
}

#[kina_observ::span]
pub mod functions {
    use super::Disk;

    pub fn first(disk: &Disk) -> usize {
        second(disk)
    }

    fn second(disk: &Disk) -> usize {
        disk.private()
    }
}
