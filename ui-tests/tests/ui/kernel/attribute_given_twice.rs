//! What comes by itself is not given by hand, and what the span has not is not given at all.

use kina_observ::device::{LaunchConfig, Stream};
use kina_observ::kernel;

#[kernel(fields(runtime.kernel.grid = [1_i64, 1, 1], runtime.shape.m = 3, runtime.module.id = "x"))]
fn softmax(stream: &Stream, config: LaunchConfig) {
    let _ = (stream, config);
}

fn main() {}
