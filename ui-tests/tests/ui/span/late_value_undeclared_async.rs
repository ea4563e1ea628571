//! A late value that the attribute of an `async fn` does not declare.

use kina_observ::span;

#[span("free.load", late(runtime.device))]
async fn load() {
    observ.runtime_device("gpu:0");
    observ.runtime_dtype(1);
}

fn main() {
    drop(load());
}
