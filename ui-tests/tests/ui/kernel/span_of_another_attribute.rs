//! The registry says which attribute makes a span.

use kina_observ::device::{LaunchConfig, Stream};
use kina_observ::{ffi_span, kernel, span};

#[span(runtime.kernel.launch)]
fn launch(stream: &Stream, config: LaunchConfig) {
    let _ = (stream, config);
}

#[ffi_span(runtime.kernel.launch, export = "launch_from_c")]
fn launch_from_c(rows: i64) {
    let _ = rows;
}

#[kernel(runtime.gpu.add)]
fn add(stream: &Stream, config: LaunchConfig) {
    let _ = (stream, config);
}

fn main() {}
