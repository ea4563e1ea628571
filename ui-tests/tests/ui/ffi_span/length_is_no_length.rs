//! A slice whose length is no parameter, or none that counts.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(
    n: i64,
    scale: f32,
    #[ffi(len = "m")] a: &[f32],
    #[ffi(len = "scale")] b: &[f32],
    #[ffi(len = "n")] label: &str,
) -> i64 {
    let _ = (scale, a, b, label);
    n
}

fn main() {}
