//! Several mistakes that have nothing to do with each other, reported together.

use kina_observ::ffi_span;

#[ffi_span(levle = debug, fields(runtime.shap.m = rows, columns), skip_all, inner = events)]
pub async extern "C" fn runtime_gpu_softmax(rows: i64, name: &str) -> Result<i64, String> {
    Ok(rows + name.len() as i64)
}

fn main() {
    drop(runtime_gpu_softmax(1, "softmax"));
}
