//! The attribute on things that are no functions.

use kina_observ::ffi_span;

#[ffi_span]
pub struct Tensor {
    pub size: i64,
}

#[ffi_span]
impl Tensor {
    pub fn size(&self) -> i64 {
        self.size
    }
}

#[ffi_span(export = "runtime_gpu_add")]
mod gpu {}

fn main() {
    assert_eq!(Tensor { size: 2 }.size(), 2);
}
