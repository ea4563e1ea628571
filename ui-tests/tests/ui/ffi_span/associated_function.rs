//! A function of an `impl` block with `export`, where no C function can stand beside it.

use kina_observ::ffi_span;

pub struct Device;

impl Device {
    #[ffi_span(export = "runtime_gpu_add")]
    pub fn add(n: i64) -> i64 {
        n
    }
}

fn main() {
    assert_eq!(Device::add(2), 2);
}
