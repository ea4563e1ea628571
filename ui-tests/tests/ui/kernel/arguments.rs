//! Arguments that cannot be read, that are another attribute's, and that do not exist.

use kina_observ::device::{LaunchConfig, Stream};
use kina_observ::kernel;

#[kernel(kernal = "softmax", launch, stream = , size = 3, free, skip_all)]
fn softmax(stream: &Stream, config: LaunchConfig) {
    let _ = (stream, config);
}

fn main() {}
