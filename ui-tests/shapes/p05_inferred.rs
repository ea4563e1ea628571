//! What a body makes is found out from what the function returns.

use std::collections::BTreeMap;
use std::num::ParseIntError;

#[kina_observ::span("free.collected")]
pub fn collected(texts: &[&str]) -> Result<Vec<i64>, ParseIntError> {
    texts.iter().map(|text| text.parse()).collect()
}

#[kina_observ::span("free.parsed")]
pub async fn parsed(text: &str) -> Result<u8, ParseIntError> {
    text.trim().parse()
}

#[kina_observ::span("free.made")]
pub async fn made() -> BTreeMap<String, u8> {
    Default::default()
}

#[kina_observ::span("free.boxed")]
pub fn boxed(text: &str) -> std::pin::Pin<Box<dyn Future<Output = Result<u8, ParseIntError>> + '_>> {
    Box::pin(async move { text.trim().parse() })
}
