//! Nothing says how much is allocated, nor what is freed.

use kina_observ::alloc_traced;

#[alloc_traced]
fn take(count: usize) -> *mut u8 {
    Box::into_raw(vec![0; count].into_boxed_slice()).cast()
}

#[alloc_traced(free)]
fn give_back(handle: u64) {
    let _ = handle;
}

fn main() {
    take(3);
    give_back(3);
}
