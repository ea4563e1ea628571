//! A field that no parameter gives.

use kina_observ::span;

#[span("free.load", fields(count))]
fn load(counts: &[i64]) -> usize {
    counts.len()
}

fn main() {
    load(&[]);
}
