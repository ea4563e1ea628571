//! A launch is one call, on one thread.

use kina_observ::device::{LaunchConfig, Stream};
use kina_observ::kernel;

#[kernel]
async fn softmax(stream: &Stream, config: LaunchConfig) {
    let _ = (stream, config);
}

#[kernel]
fn later(stream: &Stream, config: LaunchConfig) -> impl Future<Output = ()> {
    let _ = (stream, config);
    async move {}
}

fn main() {
    let _ = (softmax, later);
}
