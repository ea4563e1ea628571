//! Items that are named like the prelude.

#[allow(dead_code)]
#[derive(Debug)]
pub enum Option {
    Some(Result),
    None,
}
#[derive(Debug)]
pub struct Result;
#[allow(dead_code)]
pub struct String;
#[allow(non_snake_case)]
pub fn Ok(n: i64) -> i64 {
    n
}
#[allow(non_snake_case)]
pub fn Err(n: i64) -> i64 {
    n
}
#[allow(non_snake_case)]
pub fn Some(n: i64) -> i64 {
    n
}
pub struct Box;
pub trait Clone {}
pub trait Copy {}
pub trait Future {}

#[kina_observ::span("free.plain", fields(n))]
pub fn plain(n: i64) -> Option {
    if Ok(n) + Err(n) + Some(n) > 0 { Option::None } else { Option::Some(Result) }
}

#[kina_observ::span("free.later", fields(n))]
pub async fn later(n: i64) -> Result {
    let _ = n;
    Result
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported_p23(n: i64) -> i32 {
    Ok(n) as i32
}
