//! A syntax error in a body, which later calls survive.

use kina_observ::span;

#[span("free.load")]
fn load(n: i64) -> i64 {
    let m = ;
    n
}

fn main() {
    load(1);
}
