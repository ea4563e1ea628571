//! A function that returns a future: the span would end before the work starts.

use kina_observ::span;

#[span("acme.cache.load")]
fn load(n: i64) -> impl Future<Output = i64> {
    async move { n }
}

fn main() {
    drop(load(1));
}
