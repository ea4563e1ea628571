//! A span type that is not in the registry.

use kina_observ::span;

#[span(runtime.kernel.exec)]
fn execute(kernel: &str, stream_id: i64) -> i64 {
    kernel.len() as i64 + stream_id
}

fn main() {
    assert_eq!(execute("add", 1), 4);
}
