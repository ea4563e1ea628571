//! A span that the registry gives to `#[span]`.

use kina_observ::ffi_span;

#[ffi_span(runtime.kernel.lane, fields(runtime.kernel.name = "add"))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_kernel_lane(lane: i32) -> i32 {
    lane
}

fn main() {}
