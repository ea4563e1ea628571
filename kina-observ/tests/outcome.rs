//! What a return value says about success: every arm, through aliases, and an error is told once.

mod common;

use std::fmt;

use kina_observ::{FfiError, Level, builder, span};

#[derive(Debug, FfiError)]
enum Shape {
    #[ffi_error(code = 101, help = "make the inner dimensions equal")]
    Mismatch,
}

#[derive(Debug, FfiError)]
enum Driver {
    #[ffi_error(code = 201, help = "free memory", error_type = "out_of_memory")]
    Memory,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shapes differ")
    }
}

impl fmt::Display for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no memory")
    }
}

struct Mute;

type Alias<T> = Result<T, std::num::ParseIntError>;

macro_rules! cases {
    ($($name:ident($stream_id:ident) -> $returns:ty $body:block $expected:expr;)*) => {
        $(
            #[span(runtime.kernel.execute)]
            fn $name(#[allow(unused_variables)] kernel: &'static str, $stream_id: i64) -> $returns $body
        )*

        #[test]
        fn every_arm() {
            let (_folder, path) = common::trace_file();
            let guard = builder().level(Level::Basic).trace_output(&path).init().expect("recording");
            $(let _ = $name(stringify!($name), 1);)*
            three_levels();
            let _ = std::panic::catch_unwind(|| panics("panics", 1));
            assert!(guard.shutdown().is_complete());
            let lines = common::lines(&path);
            let find = |name: &str| lines.iter().find(|line| line["span"] == name).expect("the span");
            $(check(find(stringify!($name)), $expected);)*
            check(find("panics"), Some("panic"));
            let told = |name: &str| find(name).get("error").is_some();
            assert_eq!(["outermost", "middle", "innermost"].map(told), [false, false, true]);
            for name in ["outermost", "middle", "innermost"] {
                check(find(name), Some("mismatch"));
            }
            // Another error is told in its own words.
            check(find("gives up"), Some("out_of_memory"));
            assert_eq!(find("gives up")["error"]["message"], "no memory");
            let error = &find("innermost")["error"];
            assert_eq!(error["message"], "shapes differ");
            assert_eq!(error["help"], "make the inner dimensions equal");
        }
    };
}

fn check(line: &serde_json::Value, expected: Option<&str>) {
    let status = line.get("status").and_then(serde_json::Value::as_str);
    let error_type = line["attributes"].get("error.type").and_then(serde_json::Value::as_str);
    assert_eq!(status, expected.map(|_| "ERROR"), "{line}");
    assert_eq!(error_type, expected, "{line}");
}

cases! {
    unit(stream_id) -> () { let _ = stream_id; } None;
    number(stream_id) -> i64 { stream_id } None;
    some(stream_id) -> Option<i64> { Some(stream_id) } None;
    none(stream_id) -> Option<i64> { let _ = stream_id; None } None;
    plain_ok(stream_id) -> Result<i64, Shape> { Ok(stream_id) } None;
    plain_err(stream_id) -> Result<i64, Shape> { let _ = stream_id; Err(Shape::Mismatch) } Some("mismatch");
    nested_ok(stream_id) -> Result<Result<i64, Shape>, Driver> { Ok(Ok(stream_id)) } None;
    nested_inner(stream_id) -> Result<Result<i64, Shape>, Driver> { let _ = stream_id; Ok(Err(Shape::Mismatch)) } Some("mismatch");
    nested_outer(stream_id) -> Result<Result<i64, Shape>, Driver> { let _ = stream_id; Err(Driver::Memory) } Some("out_of_memory");
    mixed_inner(stream_id) -> Result<Result<i64, Shape>, fmt::Error> { let _ = stream_id; Ok(Err(Shape::Mismatch)) } Some("mismatch");
    mixed_outer(stream_id) -> Result<Result<i64, Shape>, fmt::Error> { let _ = stream_id; Err(fmt::Error) } Some("core::fmt::Error");
    alias_ok(stream_id) -> Alias<i64> { Ok(stream_id) } None;
    alias_err(stream_id) -> Alias<i64> { let _ = stream_id; "x".parse() } Some("core::num::error::ParseIntError");
    mute(stream_id) -> Result<i64, Mute> { let _ = stream_id; Err(Mute) } Some("outcome::Mute");
}

#[span(runtime.kernel.execute)]
fn panics(kernel: &'static str, stream_id: i64) -> i64 {
    panic!("{kernel} {stream_id}")
}

#[span(runtime.kernel.execute)]
fn innermost(kernel: &'static str, stream_id: i64) -> Result<i64, Shape> {
    let _ = (kernel, stream_id);
    Err(Shape::Mismatch)
}

#[span(runtime.kernel.execute)]
fn middle(kernel: &'static str, stream_id: i64) -> Result<Result<i64, Shape>, Driver> {
    let _ = kernel;
    Ok(innermost("innermost", stream_id))
}

#[span(runtime.kernel.execute)]
fn outermost(kernel: &'static str, stream_id: i64) -> Result<i64, Shape> {
    let _ = kernel;
    middle("middle", stream_id).expect("the outer result is fine")
}

#[span(runtime.kernel.execute)]
fn gives_up(kernel: &'static str, stream_id: i64) -> Result<i64, Driver> {
    innermost("handled", stream_id).map_err(|_| Driver::Memory)
}

fn three_levels() {
    assert!(outermost("outermost", 1).is_err());
    assert!(gives_up("gives up", 1).is_err());
}
