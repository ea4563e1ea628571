//! Values whose types the registry does not allow, in a function and in a task.

use kina_observ::span;

#[span("free.load", fields(runtime.shape.m = counts.iter().map(|n| n + 1).collect::<Vec<_>>()))]
fn load(counts: &[i64]) -> usize {
    counts.len()
}

#[span("free.store", fields(runtime.shape.m = format!("{count}")))]
async fn store(count: usize) -> usize {
    count
}

fn main() {
    load(&[]);
    drop(store(1));
}
