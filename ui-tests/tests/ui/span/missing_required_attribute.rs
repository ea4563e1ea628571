//! Required attributes that nothing supplies: a text comes only from a parameter that the registry names.

use kina_observ::span;

#[span(runtime.kernel.execute)]
fn execute(name: &str, stream: i64) -> i64 {
    name.len() as i64 + stream
}

fn main() {
    assert_eq!(execute("add", 1), 4);
}
