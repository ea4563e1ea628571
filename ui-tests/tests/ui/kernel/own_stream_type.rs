//! A type of the user's that has the right name and not the trait.

use kina_observ::device::LaunchConfig;
use kina_observ::kernel;

struct Stream;

#[kernel]
fn softmax(stream: &Stream, config: LaunchConfig) {
    let _ = (stream, config);
}

fn main() {}
