//! An expansion stays small: what is parsed, typed and linted again for every annotated function.

mod common;

use common::{acme, count, expanded, tokens};

/// Tokens that the macro adds to what the user wrote.
fn added(source: &str) -> usize {
    let item = source.split_once("]\n").expect("an attribute line").1;
    count(expanded(source, acme())) - count(tokens(item))
}

fn check(what: &str, source: &str, limit: usize) {
    let added = added(source);
    println!("{what}: {added} tokens");
    assert!(added <= limit, "{what}: {added} tokens, the limit is {limit}");
}

#[test]
fn four_attributes() {
    let function = "fn acme_four(batch: i64, m: i64, n: i64, k: i64) -> i32 { 0 }";
    check("form (ii)", &format!("#[ffi_span]\n#[unsafe(no_mangle)] pub extern \"C\" {function}"), 318);
    check("form (i)", &format!("#[ffi_span(export = \"acme_four\")]\npub {function}"), 431);
    check("span", &format!("#[span]\npub {function}"), 338);
}

#[test]
fn span_with_two_attributes() {
    check(
        "span",
        "#[span(\"runtime.kernel.lane\")]\nfn lane(kernel: &str, lane: u32) -> Result<(), Error> { run() }",
        320,
    );
}

#[test]
fn eight_parameters_and_an_enum() {
    check(
        "matmul",
        "#[ffi_span]\n#[unsafe(no_mangle)] pub unsafe extern \"C\" fn runtime_gpu_matmul(out: *mut f32, a: *const f32, \
         b: *const f32, batch: i64, m: i64, k: i64, n: i64, dtype_code: i32) -> i32 { 0 }",
        // With more than six there is a third function: Off may add no more than five instructions.
        547, // three of them say the text of its NVTX range
    );
}

#[test]
fn work_around_the_body() {
    check(
        "kernel",
        "#[kernel]\nfn softmax(stream: &Stream, config: &LaunchConfig, kernel: &Function) -> Result<(), Error> { run() }",
        611, // five of them say the text of its NVTX range
    );
    check(
        "stream_sync",
        "#[stream_sync(\"free.join\")]\nfn join(stream: &Stream, event: &Event) -> Result<(), Error> { run() }",
        263,
    );
    check(
        "alloc_traced",
        "#[alloc_traced]\nfn take(size: usize, stream: &Stream) -> Result<DevicePtr, Error> { run() }",
        397,
    );
}
