//! Attributes of a span that is in no registry: only plain values can be recorded under names that nobody has defined.

use kina_observ::span;

#[span("acme.cache.size", fields(n, keys, acme.cache.hits = n))]
fn size(n: i64, keys: &[String]) -> i64 {
    n + keys.len() as i64
}

fn main() {
    assert_eq!(size(1, &[]), 1);
}
