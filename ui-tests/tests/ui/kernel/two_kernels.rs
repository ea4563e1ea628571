//! Two loaded kernels: the span has one name.

use kina_observ::device::{Function, LaunchConfig, Stream};
use kina_observ::kernel;

#[kernel]
fn fused(stream: &Stream, config: &LaunchConfig, first: &Function, second: &Function) {
    let _ = (stream, config, first, second);
}

fn main() {}
