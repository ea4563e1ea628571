//! Type errors in the bodies of futures stay there.

use kina_observ::span;
use std::fmt::Error;

#[span("free.load")]
async fn load(n: i64) -> Result<String, Error> {
    Ok(n)
}

#[span("free.nothing")]
async fn nothing(n: i64) {
    n
}

#[span("free.load_boxed")]
fn load_boxed(n: i64) -> std::pin::Pin<Box<dyn Future<Output = String>>> {
    Box::pin(async move { n })
}

fn main() {
    drop(load(1));
    drop(nothing(1));
    drop(load_boxed(1));
}
