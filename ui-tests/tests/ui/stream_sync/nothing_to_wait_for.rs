//! Neither a stream nor an event.

use kina_observ::stream_sync;

#[stream_sync("free.pipeline.drain")]
fn drain(queue: u64) {
    let _ = queue;
}

fn main() {
    drain(1);
}
