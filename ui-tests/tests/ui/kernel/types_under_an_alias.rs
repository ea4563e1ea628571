//! A macro cannot look through an alias.

use kina_observ::device::{LaunchConfig, Stream};
use kina_observ::kernel;

type Queue = Stream;
type Shape = LaunchConfig;

#[kernel]
fn softmax(on: &Queue, shape: Shape) {
    let _ = (on, shape);
}

fn main() {}
