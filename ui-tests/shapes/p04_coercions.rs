//! Values that become trait objects on their way out.

use std::error::Error;
use std::fmt::Debug;

#[kina_observ::span("free.boxed")]
pub fn boxed(n: i64) -> Box<dyn Fn(i64) -> i64> {
    if n == 0 {
        return Box::new(|m| m);
    }
    Box::new(move |m| m + n)
}

#[kina_observ::span("free.boxed_ok")]
pub fn boxed_ok(text: &str) -> Result<Box<dyn Debug + Send>, Box<dyn Error + Send + Sync>> {
    let n: i64 = text.parse()?;
    Ok(Box::new(n))
}

#[kina_observ::span("free.boxed_async")]
pub async fn boxed_async(text: &str) -> Result<Box<dyn Debug + Send>, Box<dyn Error + Send + Sync>> {
    let n: i64 = text.parse()?;
    if n == 0 {
        return Err("zero".into());
    }
    Ok(Box::new(n))
}

#[kina_observ::span("free.slice")]
pub async fn slice() -> &'static [u8] {
    &[1, 2, 3]
}

#[kina_observ::span("free.pointer")]
pub fn pointer() -> fn(i64) -> i64 {
    |n| n + 1
}
