//! Type errors in the bodies: each is shown where the user made it, with a nested function and with a closure.

use kina_observ::span;

#[span("acme.cache.size")]
fn size(n: i64) -> i64 {
    let twice: i64 = "2";
    n * twice
}

struct Lru;

impl Lru {
    #[span("acme.cache.len")]
    fn len(&self) -> usize {
        2_i64
    }
}

fn main() {
    assert_eq!(size(1) as usize, Lru.len());
}
