//! Arguments that only `#[ffi_span]` takes.

use kina_observ::span;

#[span("acme.cache.size", export = "acme_cache_size", returns = i64)]
fn size(n: i64) -> i64 {
    n
}

fn main() {
    assert_eq!(size(1), 1);
}
