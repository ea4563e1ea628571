//! `impl Trait` inside what is returned.

use std::io;

#[kina_observ::span("free.lines")]
pub fn lines(text: &str) -> Result<impl Iterator<Item = usize> + '_, io::Error> {
    if text.is_empty() {
        return Err(io::Error::other("empty"));
    }
    Ok(text.lines().map(str::len))
}

#[kina_observ::span("free.shown")]
pub fn shown(n: i64) -> io::Result<impl ToString + use<>> {
    Ok(n)
}

#[kina_observ::span("free.shown_async")]
pub async fn shown_async(n: i64) -> io::Result<impl ToString> {
    Ok(n)
}

#[kina_observ::span("free.pair")]
pub fn pair(n: i64) -> (impl Fn(i64) -> i64, i64) {
    (move |m| m + n, n)
}
