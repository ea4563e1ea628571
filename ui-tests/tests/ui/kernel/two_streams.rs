//! Which of the two is meant?

use kina_observ::device::{LaunchConfig, Stream};
use kina_observ::kernel;

#[kernel]
fn copy(from: &Stream, to: &Stream, one: LaunchConfig, two: Option<&LaunchConfig>) {
    let _ = (from, to, one, two);
}

fn main() {}
