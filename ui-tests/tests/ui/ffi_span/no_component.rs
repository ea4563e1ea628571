//! A function of a namespace that no registry owns, in a crate that has not named its component.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn acme_cache_flush(n: i64) -> i32 {
    n as i32
}

fn main() {}
