//! Which of the two is freed, and on which stream?

use kina_observ::alloc_traced;
use kina_observ::device::{DevicePtr, Stream};

#[alloc_traced(free)]
fn give_back(old: DevicePtr, new: DevicePtr, size: usize, copies: &Stream, kernels: &Stream) {
    let _ = (old, new, size, copies, kernels);
}

fn main() {}
