//! What comes back, what is freed and what is given as a ledger are not what their places need.

use kina_observ::alloc_traced;

struct Block;

static LEDGER: u32 = 3;

#[alloc_traced]
fn take(size: usize) -> Block {
    let _ = size;
    Block
}

#[alloc_traced(free, pointer = block)]
fn give_back(block: &Block, size: f32) -> Block {
    let _ = (block, size);
    Block
}

#[alloc_traced(ledger = LEDGER)]
fn other(size: usize) -> *mut u8 {
    std::ptr::null_mut::<u8>().wrapping_add(size)
}

fn main() {
    take(3);
    give_back(&Block, 3.0);
    other(3);
}
