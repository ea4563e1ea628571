//! A return type whose `Result` stands behind an alias.

use kina_observ::ffi_span;

#[derive(Debug)]
pub struct ShapeError;

type Answer<T> = Result<T, ShapeError>;

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(n: i64) -> Answer<i64> {
    Ok(n)
}

fn main() {}
