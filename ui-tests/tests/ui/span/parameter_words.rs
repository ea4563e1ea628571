//! How C passes a parameter, on a function that C does not call.

use kina_observ::span;

#[span("acme.pay")]
pub fn pay(#[ffi(secret)] pin: i64) -> i64 {
    pin
}

fn main() {}
