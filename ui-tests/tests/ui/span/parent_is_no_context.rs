//! A parent that is not a context.

use kina_observ::span;

#[span("acme.cache.size", parent = n)]
fn size(n: i64) -> i64 {
    n
}

fn main() {
    assert_eq!(size(1), 1);
}
