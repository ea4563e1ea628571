//! A method as a C entry point.

use kina_observ::ffi_span;

pub struct Device(i64);

impl Device {
    #[ffi_span(export = "runtime_gpu_add")]
    pub fn add(&self, n: i64) -> i64 {
        self.0 + n
    }
}

fn main() {
    assert_eq!(Device(1).add(2), 3);
}
