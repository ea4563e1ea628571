//! Names that OpenTelemetry gave up, or that the span does not have.

use kina_observ::span;

#[span("free.call", fields(rpc.system = system, http.method = method, db.system = system))]
fn call(system: &str, method: &str) -> usize {
    system.len() + method.len()
}

#[span("free.size", fields(runtime.shap.m = m))]
fn size(m: i64) -> i64 {
    m
}

fn main() {
    call("grpc", "GET");
    size(1);
}
