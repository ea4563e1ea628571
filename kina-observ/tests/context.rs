//! Parents, traces, modules, links and events across threads.

mod common;

use kina_observ::{Context, Level, builder, link, module_scope, span};

#[span(runtime.kernel.lane)]
fn lane(kernel: &'static str, lane: i64) -> i64 {
    let _ = kernel;
    lane
}

#[span(runtime.kernel.execute, parent = context)]
fn execute(context: &Context, kernel: &'static str, stream_id: i64) -> i64 {
    let _ = (context, kernel);
    lane("x", stream_id)
}

#[span(runtime.kernel.execute)]
fn outer(kernel: &'static str, stream_id: i64) -> (kina_observ::SpanContext, i64) {
    let _ = kernel;
    let context = Context::current();
    let own = context.span().expect("a span is open");
    tracing::warn!(answer = 42, "inside");
    link(own);
    let on_other_thread = std::thread::spawn(move || execute(&context, "worker", 7));
    (own, on_other_thread.join().expect("no panic") + stream_id)
}

#[test]
fn what_moves_to_another_thread_keeps_its_parent_its_trace_and_its_module() {
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Kernel).filter("trace").trace_output(&path).init().expect("recording");
    let id: kina_observ::ModuleId = "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11".parse().expect("a UUID");
    let (own, sum) = {
        let _module = module_scope(id);
        outer("caller", 1)
    };
    assert_eq!(sum, 8);
    let report = guard.shutdown();
    assert!(report.is_complete(), "{report}");
    let lines = common::lines(&path);
    let find =
        |name: &str| lines.iter().find(|line| line["span"] == name).unwrap_or_else(|| panic!("{name}: {lines:#?}"));
    let (caller, worker, lane) = (find("caller"), find("worker"), find("x lane"));
    assert_eq!(caller["span_id"], own.span_id.to_string());
    assert_eq!(worker["parent_span_id"], caller["span_id"]);
    assert_eq!(lane["parent_span_id"], worker["span_id"]);
    for line in [caller, worker, lane] {
        assert_eq!(line["trace_id"], own.trace_id.to_string());
        assert_eq!(line["module_id"], id.to_string());
        assert_eq!(line["attributes"]["module_id"], id.to_string());
    }
    assert_ne!(caller["thread"], worker["thread"]);
    assert_eq!(caller["links"][0]["span_id"], caller["span_id"]);
    let event = common::of_kind(&lines, "event")[0];
    assert_eq!((&event["msg"], &event["level"]), (&"inside".into(), &"WARN".into()));
    assert_eq!(event["span_id"], caller["span_id"]);
    assert_eq!(event["attributes"]["answer"], 42);
}
