//! Futures: sent to other threads, borrowing, recursive, unsafe, not written yet.

use std::rc::Rc;

fn sent<F: Future + Send>(future: F) -> F {
    future
}

#[kina_observ::span("free.borrows")]
pub async fn borrows<'a>(first: &'a str, second: &str) -> &'a str {
    inner(second.len() as i64).await;
    first
}

#[kina_observ::span("free.inner", fields(n))]
async fn inner(n: i64) -> i64 {
    if n > 0 { Box::pin(inner(n - 1)).await } else { 0 }
}

#[kina_observ::span("free.local")]
pub async fn local(n: Rc<i64>) -> i64 {
    inner(*n).await + *n
}

#[kina_observ::span("free.missing")]
pub async fn missing(n: i64) -> Result<String, std::fmt::Error> {
    unimplemented!()
}

/// # Safety
///
/// The pointer is valid.
#[kina_observ::span("free.careless")]
pub async unsafe fn careless(pointer: *const i64) -> i64 {
    // SAFETY: the caller's.
    unsafe { *pointer }
}

#[kina_observ::span("free.closures")]
pub async fn closures(n: i64) -> i64 {
    let add = async |m: i64| m + n;
    add(1).await
}

pub fn all() {
    drop(sent(borrows("", "")));
    drop(sent(inner(1)));
}
