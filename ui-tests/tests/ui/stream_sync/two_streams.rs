//! Which of the two is waited for?

use kina_observ::device::Stream;
use kina_observ::stream_sync;

#[stream_sync("free.pipeline.drain")]
fn drain(copies: &Stream, kernels: &Stream) {
    let _ = (copies, kernels);
}

fn main() {}
