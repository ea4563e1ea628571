//! A block of functions, and an item that is none.

use kina_observ::kernel;

struct Softmax;

#[kernel]
impl Softmax {
    pub fn run(&self) {}
}

#[kernel]
const ROWS: u32 = 3;

fn main() {
    Softmax.run();
}
