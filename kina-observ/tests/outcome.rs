//! What a return value says about success: every arm, through aliases, in functions and in tasks, and an error is told once.

mod common;

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

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

/// Has nothing to say.
struct Mute;

/// Has nothing to say to users.
#[derive(Debug)]
struct Terse;

/// As `anyhow::Error`: a type that is no `Error` and keeps one.
struct Report(Box<dyn Error + Send + Sync>);

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An error with a type argument that matters.
struct During<T>(T);

impl<T> fmt::Display for During<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is never the type")
    }
}

type Alias<T> = Result<T, std::num::ParseIntError>;
type Nested<T> = Result<Result<T, Shape>, Driver>;

/// Each row is a function and a task.
macro_rules! cases {
    ($($name:ident($stream_id:ident) -> $returns:ty $body:block $expected:expr;)*) => {
        mod functions {
            use super::*;

            $(
                #[span(runtime.kernel.execute)]
                pub(super) fn $name(#[allow(unused_variables)] kernel: &'static str, $stream_id: i64) -> $returns $body
            )*
        }

        mod tasks {
            use super::*;

            $(
                #[span(runtime.kernel.execute)]
                pub(super) async fn $name(#[allow(unused_variables)] kernel: &str, $stream_id: i64) -> $returns $body
            )*
        }

        fn every_case() {
            $(
                let _ = functions::$name(stringify!($name), 1);
                let _ = finish(tasks::$name(concat!(stringify!($name), " as a task"), 1));
            )*
        }

        fn check_every_case(lines: &[serde_json::Value]) {
            $(
                check(find(lines, stringify!($name)), $expected);
                check(find(lines, concat!(stringify!($name), " as a task")), $expected);
            )*
        }
    };
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
    alias_ok(stream_id) -> Alias<i64> { Ok(stream_id) } None;
    alias_err(stream_id) -> Alias<i64> { let _ = stream_id; "x".parse() } Some("core::num::error::ParseIntError");
    nested_alias_ok(stream_id) -> Nested<i64> { Ok(Ok(stream_id)) } None;
    nested_alias_inner(stream_id) -> Nested<i64> { let _ = stream_id; Ok(Err(Shape::Mismatch)) } Some("mismatch");
    nested_alias_outer(stream_id) -> Nested<i64> { let _ = stream_id; Err(Driver::Memory) } Some("out_of_memory");
    optional_ok(stream_id) -> Result<Option<i64>, Shape> { Ok(Some(stream_id)) } None;
    optional_none(stream_id) -> Result<Option<i64>, Shape> { let _ = stream_id; Ok(None) } None;
    optional_err(stream_id) -> Result<Option<i64>, Shape> { let _ = stream_id; Err(Shape::Mismatch) } Some("mismatch");
    // Each error says what it can, whatever the other one is.
    mixed_inner(stream_id) -> Result<Result<i64, Shape>, fmt::Error> { let _ = stream_id; Ok(Err(Shape::Mismatch)) } Some("mismatch");
    mixed_outer(stream_id) -> Result<Result<i64, Shape>, fmt::Error> { let _ = stream_id; Err(fmt::Error) } Some("core::fmt::Error");
    mute_beside_stable(stream_id) -> Result<Result<i64, Mute>, Driver> { let _ = stream_id; Err(Driver::Memory) } Some("out_of_memory");
    mute_inside_stable(stream_id) -> Result<Result<i64, Mute>, Driver> { let _ = stream_id; Ok(Err(Mute)) } Some("outcome::Mute");
    terse_beside_stable(stream_id) -> Result<Result<i64, Shape>, Terse> { let _ = stream_id; Ok(Err(Shape::Mismatch)) } Some("mismatch");
    terse_around_stable(stream_id) -> Result<Result<i64, Shape>, Terse> { let _ = stream_id; Err(Terse) } Some("outcome::Terse");
    mute(stream_id) -> Result<i64, Mute> { let _ = stream_id; Err(Mute) } Some("outcome::Mute");
    terse(stream_id) -> Result<i64, Terse> { let _ = stream_id; Err(Terse) } Some("outcome::Terse");
    input_output(stream_id) -> io::Result<i64> { let _ = stream_id; Err(io::ErrorKind::NotFound.into()) } Some("std::io::error::Error");
    boxed(stream_id) -> Result<i64, Box<Terse>> { let _ = stream_id; Err(Box::new(Terse)) } Some("outcome::Terse");
    boxed_stable(stream_id) -> Result<i64, Box<Shape>> { let _ = stream_id; Err(Box::new(Shape::Mismatch)) } Some("mismatch");
    any(stream_id) -> Result<i64, Box<dyn Error>> { let _ = stream_id; Err("text".into()) } Some("dyn core::error::Error");
    any_to_send(stream_id) -> Result<i64, Arc<dyn Error + Send + Sync>> { let _ = stream_id; Err(Arc::new(fmt::Error)) } Some("dyn core::error::Error");
    report(stream_id) -> Result<i64, Report> { let _ = stream_id; Err(Report("text".into())) } Some("outcome::Report");
    argument(stream_id) -> Result<i64, During<u8>> { Err(During(stream_id as u8)) } Some("outcome::During<u8>");
}

#[span(runtime.kernel.execute, inner = event)]
fn answers(kernel: &'static str, stream_id: i64) -> Nested<i64> {
    if kernel == "no" {
        Ok(Err(Shape::Mismatch))
    } else if stream_id == 0 {
        Err(Driver::Memory)
    } else {
        Ok(Ok(1))
    }
}

#[span(runtime.kernel.execute, inner = event)]
async fn answers_as_a_task(kernel: &str, stream_id: i64) -> Nested<i64> {
    if kernel == "no, as a task" { Ok(Err(Shape::Mismatch)) } else { answers("broken, in a task", stream_id) }
}

#[span(runtime.kernel.execute)]
fn panics(kernel: &'static str, stream_id: i64) -> i64 {
    panic!("{kernel} {stream_id}")
}

#[span(runtime.kernel.execute)]
async fn panics_as_a_task(kernel: &str, stream_id: i64) -> i64 {
    Yield(false).await;
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
async fn innermost_task(kernel: &str, stream_id: i64) -> Result<i64, Shape> {
    let _ = (kernel, stream_id);
    Yield(false).await;
    Err(Shape::Mismatch)
}

#[span(runtime.kernel.execute)]
async fn middle_task(kernel: &str, stream_id: i64) -> Result<Result<i64, Shape>, Driver> {
    let _ = kernel;
    Ok(innermost_task("innermost task", stream_id).await)
}

#[span(runtime.kernel.execute)]
async fn outermost_task(kernel: &str, stream_id: i64) -> Result<i64, Shape> {
    let _ = kernel;
    middle_task("middle task", stream_id).await.expect("the outer result is fine")
}

/// Ready the second time.
struct Yield(bool);

impl Future for Yield {
    type Output = ();

    fn poll(mut self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

fn finish<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

fn find<'a>(lines: &'a [serde_json::Value], name: &str) -> &'a serde_json::Value {
    lines.iter().find(|line| line["span"] == name).unwrap_or_else(|| panic!("no span `{name}`"))
}

fn check(line: &serde_json::Value, expected: Option<&str>) {
    let status = line.get("status").and_then(serde_json::Value::as_str);
    let error_type = line["attributes"].get("error.type").and_then(serde_json::Value::as_str);
    assert_eq!(status, expected.map(|_| "ERROR"), "{line}");
    assert_eq!(error_type, expected, "{line}");
    assert_eq!(line.get("error").is_some(), expected.is_some(), "{line}");
}

#[test]
fn every_arm() {
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Basic).trace_output(&path).init().expect("recording");
    every_case();
    for (kernel, stream_id) in [("yes", 1), ("no", 1), ("broken", 0)] {
        let _ = answers(kernel, stream_id);
    }
    let _ = finish(answers_as_a_task("no, as a task", 1));
    let _ = finish(answers_as_a_task("broken, as a task", 0));
    let _ = std::panic::catch_unwind(|| panics("panics", 1));
    let _ = std::panic::catch_unwind(|| finish(panics_as_a_task("panics as a task", 1)));
    assert!(outermost("outermost", 1).is_err());
    assert!(finish(outermost_task("outermost task", 1)).is_err());
    assert!(guard.shutdown().is_complete());

    let lines = common::lines(&path);
    check_every_case(&lines);
    check(find(&lines, "panics"), Some("panic"));
    check(find(&lines, "panics as a task"), Some("panic"));
    for (name, expected) in [
        ("yes", None),
        ("no", None),
        ("no, as a task", None),
        ("broken", Some("out_of_memory")),
        ("broken, in a task", Some("out_of_memory")),
    ] {
        check(find(&lines, name), expected);
    }
    for names in [["outermost", "middle", "innermost"], ["outermost task", "middle task", "innermost task"]] {
        for name in names {
            assert_eq!(find(&lines, name)["attributes"]["error.type"], "mismatch");
            assert_eq!(find(&lines, name)["status"], "ERROR");
        }
        assert_eq!(names.map(|name| find(&lines, name).get("error").is_some()), [false, false, true]);
        let error = &find(&lines, names[2])["error"];
        assert_eq!(error["message"], "shapes differ");
        assert_eq!(error["help"], "make the inner dimensions equal");
    }
}
