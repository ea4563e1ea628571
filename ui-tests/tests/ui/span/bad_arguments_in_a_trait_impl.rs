//! A mistake on a method of a trait: the method is still there, so the `impl` is not said to miss it.

use kina_observ::span;

trait Cache {
    fn size(&self, n: i64) -> i64;
}

struct Lru;

impl Cache for Lru {
    #[span("acme.cache.size", skip(n))]
    fn size(&self, n: i64) -> i64 {
        n
    }
}

fn main() {
    assert_eq!(Lru.size(1), 1);
}
