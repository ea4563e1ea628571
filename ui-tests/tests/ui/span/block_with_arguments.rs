//! Arguments on a block of functions, and a function in it that cannot be recorded.

use kina_observ::span;

pub struct Cache;

#[span("free.cache", level = debug)]
impl Cache {
    pub fn look_up(&self) {}
}

#[span]
impl Cache {
    #[span("free.cache_load")]
    pub fn load(&self) {}

    pub const fn size(&self) -> usize {
        0
    }

    #[span(skip)]
    pub const fn rank(&self) -> usize {
        0
    }
}

fn main() {
    let cache = Cache;
    cache.look_up();
    cache.load();
    let _ = cache.size() + cache.rank();
}
