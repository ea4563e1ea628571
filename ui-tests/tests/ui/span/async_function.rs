//! An `async` function, whose span would have to leave and come back at each `await`.

use kina_observ::span;

#[span("acme.cache.load")]
async fn load(n: i64) -> i64 {
    n
}

fn main() {
    drop(load(1));
}
