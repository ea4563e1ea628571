//! Arguments that cannot be read, that are another attribute's, and that do not exist.

use kina_observ::alloc_traced;

#[alloc_traced(free = true, launch = 3, resorce = "pool", size)]
fn give_back(pointer: *mut u8) {
    let _ = pointer;
}

#[alloc_traced]
async fn take(bytes: usize) -> *mut u8 {
    std::ptr::null_mut::<u8>().wrapping_add(bytes)
}

#[alloc_traced]
mod memory {}

fn main() {
    give_back(std::ptr::null_mut());
    let _ = take;
}
