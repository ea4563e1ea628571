//! A span type that no registry has, from the function's name and as written; on a module as well.

use kina_observ::device::Stream;
use kina_observ::stream_sync;

#[stream_sync]
fn runtime_stream_drain(stream: &Stream) {
    let _ = stream;
}

#[stream_sync(runtime.stream.synchronise)]
fn synchronise(stream: &Stream) {
    let _ = stream;
}

#[stream_sync(runtime.stream.synchronise)]
mod streams {}

fn main() {}
