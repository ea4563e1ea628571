//! An allocation that gives nothing back, and a pointer before there is one.

use kina_observ::alloc_traced;

#[alloc_traced]
fn reserve(bytes: usize) {
    let _ = bytes;
}

#[alloc_traced(pointer = place)]
fn place(size: usize, place: *mut u8) -> *mut u8 {
    place.wrapping_add(size)
}

fn main() {
    reserve(3);
    place(3, std::ptr::null_mut());
}
