//! A late value that the attribute does not declare.

use kina_observ::span;

#[span("acme.cache.size", late(runtime.alloc.size))]
fn size(n: i64) -> i64 {
    observ.runtime_alloc_size(n);
    observ.runtime_copy_size(n);
    n
}

fn main() {
    assert_eq!(size(1), 1);
}
