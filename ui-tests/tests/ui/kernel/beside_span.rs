//! A function has one span.

use kina_observ::device::{LaunchConfig, Stream};
use kina_observ::{kernel, span};

#[kernel]
#[span("free.launch")]
fn softmax(stream: &Stream, config: LaunchConfig) {
    let _ = (stream, config);
}

fn main() {}
