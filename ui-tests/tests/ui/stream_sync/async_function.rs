//! A wait ends in the call that began it.

use kina_observ::device::Stream;
use kina_observ::stream_sync;

#[stream_sync("free.pipeline.drain")]
async fn drain(stream: &Stream) {
    let _ = stream;
}

fn main() {
    let _ = drain;
}
