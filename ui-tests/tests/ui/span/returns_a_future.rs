//! A function that returns a future which another makes: the span would end before the work starts.

use kina_observ::span;

#[span("free.load")]
fn load(n: i64) -> impl Future<Output = i64> {
    later(n)
}

#[span("free.load_boxed")]
fn load_boxed(n: i64) -> std::pin::Pin<Box<dyn Future<Output = i64>>> {
    let future = later(n);
    Box::pin(future)
}

async fn later(n: i64) -> i64 {
    n
}

fn main() {
    drop(load(1));
    drop(load_boxed(1));
}
