//! A late value that the attribute does not declare.

use kina_observ::ffi_span;

#[ffi_span(late(runtime.stream.id))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_stream_wait_event(stream: u64, event: u64) -> i32 {
    observ.runtime_stream_id(stream as i64);
    observ.runtime_stream_waits_on(event as i64);
    0
}

fn main() {}
