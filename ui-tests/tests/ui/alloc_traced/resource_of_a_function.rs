//! A function has no ledger of its own that could be named.

use kina_observ::alloc_traced;

#[alloc_traced(resource = "arena")]
fn take(size: usize) -> *mut u8 {
    std::ptr::null_mut::<u8>().wrapping_add(size)
}

fn main() {
    take(3);
}
