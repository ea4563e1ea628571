//! A mistake in the attribute of an `async fn` brings no second one about its handle.

use kina_observ::span;

#[span("free.load", late(runtime.device), levle = debug)]
async fn load() {
    observ.runtime_device("gpu:0");
}

fn main() {
    drop(load());
}
