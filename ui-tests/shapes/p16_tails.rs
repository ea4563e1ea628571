//! Functions that end in a future, with statements before it.

use std::pin::Pin;

#[kina_observ::span("free.tail", fields(n))]
pub fn tail(n: i64, text: &str) -> impl Future<Output = usize> {
    let length = text.len();
    let unused = n;
    async move { length + n as usize }
}

#[kina_observ::span("free.boxed", fields(n))]
pub fn boxed<'a>(n: i64, text: &'a str) -> Pin<Box<dyn Future<Output = Result<&'a str, std::fmt::Error>> + Send + 'a>> {
    let text = text.trim();
    if text.is_empty() {
        return Box::pin(async { Err(std::fmt::Error) });
    }
    Box::pin(async move {
        let kept = &text[..n as usize];
        Ok(kept)
    })
}

#[kina_observ::span("free.borrowing")]
pub fn borrowing(text: &mut String) -> impl Future<Output = ()> + '_ {
    async { text.push('x') }
}

pub struct Cache(i64);

impl Cache {
    #[kina_observ::span("free.method")]
    pub fn method(&self) -> impl Future<Output = i64> + Send {
        let n = self.0;
        async move { n }
    }
}
