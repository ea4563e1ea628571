//! Nothing says how the kernel is launched, and where.

use kina_observ::kernel;

#[kernel]
fn softmax(rows: u64) {
    let _ = rows;
}

fn main() {
    softmax(1);
}
