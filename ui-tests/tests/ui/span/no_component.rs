//! A function whose span no registry knows, in a crate that has not named its component.

use kina_observ::span;

#[span]
fn plan(steps: i64) -> i64 {
    steps
}

fn main() {
    assert_eq!(plan(1), 1);
}
