//! `late` on a function whose body the attribute leaves alone.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_stream_destroy", late(runtime.stream.id))]
pub fn stream_destroy(stream: u64) -> u64 {
    stream
}

fn main() {}
