//! A text, an integer and another attribute's value where the registry lists the values.

use kina_observ::span;
use kina_observ::values::RuntimeDtype;

#[span("acme.prove", fields(compiler.obligation.result = "refuted"))]
fn prove() {}

#[span("acme.retry", fields(compiler.obligation.result = 2))]
fn retry() {}

#[span("acme.check", fields(compiler.obligation.result = RuntimeDtype::F32))]
fn check() {}

fn main() {
    prove();
    retry();
    check();
}
