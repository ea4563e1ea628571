//! Words about a parameter that do not exist, are said twice, or say nothing.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(
    n: i64,
    #[ffi(nulable)] label: &str,
    #[ffi(secret, secret)] key: &str,
    #[ffi] a: &[f32],
    #[ffi(len = n)] b: &[f32],
    #[ffi(length = "n")] c: &[f32],
) -> i64 {
    n + label.len() as i64 + key.len() as i64 + a.len() as i64 + b.len() as i64 + c.len() as i64
}

fn main() {}
