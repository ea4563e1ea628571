//! Values of types that say nothing about a launch.

use kina_observ::device::Stream;
use kina_observ::kernel;

struct Tiles(u32);

#[kernel(launch = tiles, stream = stream.id(), kernel = 7)]
fn softmax(stream: &Stream, tiles: Tiles) {
    let _ = (stream, tiles.0);
}

fn main() {}
