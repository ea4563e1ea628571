//! A type of the user's that has the right name and is no event of a stream.

use kina_observ::device::Stream;
use kina_observ::stream_sync;

struct Event;

#[stream_sync("free.pipeline.join")]
fn join(stream: &Stream, done: &Event) {
    let _ = (stream, done);
}

fn main() {}
