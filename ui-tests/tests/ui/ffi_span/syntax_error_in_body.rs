//! A syntax error in the body: it is the only error, and the function is still there for its callers.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(n: i64) -> i64 {
    let twice = n *;
    twice
}

fn main() {
    assert_eq!(add(2), 4);
}
