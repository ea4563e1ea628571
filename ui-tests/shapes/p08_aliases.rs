//! Aliases and nested results.

type Answer<T> = Result<Result<T, String>, std::fmt::Error>;

#[kina_observ::span("free.alias")]
pub fn alias(n: i64) -> Answer<i64> {
    match n {
        0 => Err(std::fmt::Error),
        1 => Ok(Err(String::from("one"))),
        n => Ok(Ok(n)),
    }
}

#[kina_observ::span("free.alias_async")]
pub async fn alias_async(n: i64) -> Answer<i64> {
    alias(n)
}
