//! Attribute values: the registry's enums, values that may be absent, and an enum of the user's own.

#![allow(unused_variables, reason = "the attributes use the parameters")]

mod common;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use kina_observ::values::{CompilerObligationResult, RuntimeDtype};
use kina_observ::{BoundedLabel, FfiEnum, Level, builder, span};
use serde_json::{Value, json};

/// The registry's names, under codes of its own.
#[derive(Debug, Clone, Copy, FfiEnum)]
#[repr(i32)]
enum Answer {
    Discharged = 70,
    Refuted = 71,
}

#[span("acme.one_word", fields(compiler.obligation.result = result, runtime.alloc.size = size))]
fn one_word(result: CompilerObligationResult, size: Option<u64>) {}

#[span("acme.texts", fields(runtime.alloc.resource = resource.as_ref(), runtime.kernel.grid = grid, runtime.device = format!("cpu:{device}")))]
fn texts(resource: Option<String>, grid: Option<Vec<i64>>, device: u8) {}

#[span("acme.own", fields(compiler.obligation.result = answer, runtime.dtype = code))]
fn own(answer: Answer, code: i32) {}

#[span("acme.maybe", fields(compiler.obligation.result = answer, runtime.dtype = dtype))]
fn maybe(answer: Option<Answer>, dtype: Option<RuntimeDtype>) {}

/// By parameter: of a registered span, and of one that no registry has.
#[span(runtime.kernel.lane)]
fn lane(kernel: Option<&str>, lane: Option<u32>) {}

#[span("acme.bare", fields(size, name))]
fn bare(size: Option<u64>, name: Option<&str>) {}

struct Pool;

impl Pool {
    #[span(
        "acme.late",
        late(runtime.alloc.size, runtime.alloc.resource, runtime.dtype, runtime.trace.parent_dropped)
    )]
    fn late(&self, size: Option<u32>, resource: Option<&str>, dtype: Option<RuntimeDtype>, dropped: Option<bool>) {
        observ.runtime_alloc_size(Some(1));
        observ.runtime_alloc_size(size);
        observ.runtime_alloc_resource("first");
        observ.runtime_alloc_resource(resource);
        observ.runtime_dtype(dtype);
        observ.runtime_trace_parent_dropped(dropped);
    }
}

#[span("acme.task", fields(runtime.alloc.size = size), late(runtime.alloc.resource))]
async fn task(size: Option<u32>, resource: Option<String>) {
    observ.runtime_alloc_resource(resource);
}

/// Nothing here waits.
fn finish<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn what_is_there_is_recorded_and_what_is_not_is_not() {
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Kernel).trace_output(&path).init().expect("recording");
    let mut expected: Vec<Value> = Vec::new();
    let mut expect = |attributes: Value| expected.push(attributes);

    one_word(CompilerObligationResult::Refuted, Some(u64::MAX));
    expect(json!({"compiler.obligation.result": "refuted", "runtime.alloc.size": i64::MAX}));
    one_word(CompilerObligationResult::Discharged, None);
    expect(json!({"compiler.obligation.result": "discharged"}));
    texts(Some("host".to_owned()), Some(vec![8, 4]), 0);
    expect(json!({"runtime.alloc.resource": "host", "runtime.kernel.grid": [8, 4], "runtime.device": "cpu:0"}));
    texts(None, None, 0);
    expect(json!({"runtime.device": "cpu:0"}));
    own(Answer::Refuted, 3);
    expect(json!({"compiler.obligation.result": "refuted", "runtime.dtype": "f32"}));
    own(Answer::Discharged, 77);
    expect(json!({"compiler.obligation.result": "discharged", "runtime.dtype": "_OTHER"}));
    maybe(Some(Answer::Refuted), None);
    expect(json!({"compiler.obligation.result": "refuted"}));
    maybe(None, Some(RuntimeDtype::Bf16));
    expect(json!({"runtime.dtype": "bf16"}));
    maybe(None, None);
    expect(json!({}));
    lane(Some("add"), Some(2));
    expect(json!({"runtime.kernel.name": "add", "runtime.kernel.lane": 2}));
    lane(None, None);
    expect(json!({}));
    bare(Some(1), None);
    expect(json!({"acme.size": 1}));
    bare(None, Some("x"));
    expect(json!({"acme.name": "x"}));
    Pool.late(Some(7), Some("pinned"), Some(RuntimeDtype::I64), Some(false));
    expect(json!({
        "runtime.alloc.size": 7,
        "runtime.alloc.resource": "pinned",
        "runtime.dtype": "i64",
        "runtime.trace.parent_dropped": false,
    }));
    Pool.late(None, None, None, None);
    expect(json!({}));
    finish(task(Some(5), Some("host".to_owned())));
    expect(json!({"runtime.alloc.size": 5, "runtime.alloc.resource": "host"}));
    finish(task(None, None));
    expect(json!({}));

    assert!(guard.shutdown().is_complete());
    let lines = common::lines(&path);
    let spans = common::of_kind(&lines, "span");
    assert_eq!(spans.len(), expected.len());
    for (line, expected) in spans.iter().zip(&expected) {
        let attributes = line.get("attributes").cloned().unwrap_or_else(|| json!({}));
        assert_eq!(attributes, *expected, "{line}");
    }
}

#[test]
fn texts_and_codes_lead_back_to_the_value() {
    for (value, text, code) in [(RuntimeDtype::F16, "f16", 1), (RuntimeDtype::I64, "i64", 6)] {
        assert_eq!((value.value(), value.to_string().as_str(), value.code()), (text, text, code));
        assert_eq!(RuntimeDtype::from_value(text), Some(value));
        assert_eq!(RuntimeDtype::from_code(code), Some(value));
    }
    assert_eq!(RuntimeDtype::from_value("f8"), None);
    assert_eq!(RuntimeDtype::from_code(0), None);
    let all: Vec<_> = CompilerObligationResult::MEMBERS.iter().map(|member| member.value()).collect();
    assert_eq!(all, ["discharged", "refuted", "unknown"]);
    assert_eq!(CompilerObligationResult::KEY, "compiler.obligation.result");
}

#[test]
fn a_label_has_a_bounded_set_of_texts() {
    let labels: [&dyn BoundedLabel; 4] = [&RuntimeDtype::F32, &Answer::Refuted, &true, &false];
    assert_eq!(labels.map(|label| label.label()), ["f32", "refuted", "true", "false"]);
}
