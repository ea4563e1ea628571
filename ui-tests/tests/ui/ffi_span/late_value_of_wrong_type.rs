//! A late value of a type that its attribute cannot have.

use kina_observ::ffi_span;

#[ffi_span(late(runtime.stream.id))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_stream_destroy(stream: u64) -> i32 {
    observ.runtime_stream_id(format!("{stream}"));
    0
}

fn main() {}
