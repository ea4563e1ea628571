//! The trace of a real run is true: complete, typed, connected, and the same to people and to machines.

mod run;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::LazyLock;

use kina_observ_conventions::{Requirement, ValueType, attribute, span};
use run::{MODULE, Run, STEPS, Span};

static BASIC: LazyLock<Run> = LazyLock::new(|| Run::at("basic"));
static KERNEL: LazyLock<Run> = LazyLock::new(|| Run::at("kernel"));

/// The 17 entry points.
const CALLS: [&str; 17] = [
    "runtime.copy.d2h",
    "runtime.copy.h2d",
    "runtime.device.count",
    "runtime.device.synchronize",
    "runtime.event.record",
    "runtime.gpu.add",
    "runtime.gpu.gelu",
    "runtime.gpu.layernorm",
    "runtime.gpu.matmul",
    "runtime.gpu.softmax",
    "runtime.gpu.transpose",
    "runtime.stream.create",
    "runtime.stream.destroy",
    "runtime.stream.synchronize",
    "runtime.stream.wait_event",
    "runtime.tensor.alloc",
    "runtime.tensor.free",
];

/// The program's own spans, which stand in `conventions/transformer.yaml`, with their required attributes.
const OWN: [(&str, &[&str]); 5] = [
    ("transformer.step", &["transformer.step.index", "transformer.sequence"]),
    ("transformer.load", &[]),
    ("transformer.attention", &[]),
    ("transformer.mlp", &[]),
    ("transformer.release", &[]),
];

#[test]
fn every_line_passes_the_published_schema() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/trace-line.schema.json");
    let schema = std::fs::read_to_string(schema).expect("the schema is published");
    let schema =
        jsonschema::validator_for(&serde_json::from_str(&schema).expect("it is JSON")).expect("it is a schema");
    for line in BASIC.lines.iter().chain(&KERNEL.lines) {
        let mistakes: Vec<_> = schema.iter_errors(line).map(|mistake| mistake.to_string()).collect();
        assert!(mistakes.is_empty(), "{line}: {mistakes:?}");
    }
    assert_eq!(BASIC.lines[0]["kind"], "header");
    assert!(BASIC.lines.iter().all(|line| line["kind"] != "dropped" && line["kind"] != "unfinished"));
}

#[test]
fn every_entry_point_is_there() {
    let seen: HashSet<&str> = BASIC.spans().map(|span| span.text("type")).collect();
    let missing: Vec<_> = CALLS.iter().filter(|call| !seen.contains(*call)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(BASIC.spans().all(|span| span.0.get("status").is_none()), "nothing failed");
}

#[test]
fn required_attributes_are_present_with_their_registered_type() {
    let own: HashMap<_, _> = OWN.into();
    for line in BASIC.spans().chain(KERNEL.spans()) {
        if let Some(required) = own.get(line.text("type")) {
            for key in *required {
                assert!(line.attribute(key).is_some_and(serde_json::Value::is_i64), "`{key}` of {}", line.0);
            }
            continue;
        }
        let registered = span(line.text("type")).unwrap_or_else(|| panic!("not registered: {}", line.0));
        for used in registered.attributes {
            match line.attribute(used.key) {
                Some(value) => assert!(is_of_its_type(used.key, value), "`{}` of {}", used.key, line.0),
                None => assert_ne!(used.requirement, Requirement::Required, "`{}` of {}", used.key, line.0),
            }
        }
        let known = |key: &String| key == "module_id" || registered.attributes.iter().any(|used| used.key == key);
        assert!(line.0["attributes"].as_object().expect("an object").keys().all(known), "{}", line.0);
    }
}

fn is_of_its_type(key: &str, value: &serde_json::Value) -> bool {
    let registered = attribute(key).expect("an attribute of a registered span");
    match registered.value_type {
        ValueType::Int => value.is_i64(),
        ValueType::Double => value.is_f64(),
        ValueType::Boolean => value.is_boolean(),
        ValueType::Enum => registered.members.iter().any(|member| value == member.value),
        ValueType::String => value.is_string(),
        _ => value.is_array(),
    }
}

#[test]
fn every_parent_resolves_within_its_trace() {
    for run in [&*BASIC, &*KERNEL] {
        let by_id = run.by_id();
        for span in run.spans() {
            let Some(parent) = span.parent() else { continue };
            let parent = by_id.get(parent).unwrap_or_else(|| panic!("the parent of {} is missing", span.0));
            assert_eq!(parent.text("trace_id"), span.text("trace_id"), "{}", span.0);
        }
    }
}

#[test]
fn a_step_is_a_trace() {
    let roots: Vec<Span<'_>> = BASIC.spans().filter(|span| span.parent().is_none()).collect();
    assert!(roots.iter().all(|root| root.text("type") == "transformer.step" && root.text("span") == "step"));
    let traces: HashSet<&str> = BASIC.spans().map(|span| span.text("trace_id")).collect();
    assert_eq!((roots.len(), traces.len()), (STEPS, STEPS));
    let indices: HashSet<_> = roots.iter().map(|root| root.attribute("transformer.step.index").cloned()).collect();
    assert_eq!(indices, (0..STEPS).map(|index| Some(index.into())).collect());
}

#[test]
fn the_module_id_is_on_every_span_at_both_places() {
    for span in BASIC.spans().chain(KERNEL.spans()) {
        assert_eq!(span.0["module_id"], MODULE, "{}", span.0);
        assert_eq!(span.0["attributes"]["module_id"], MODULE, "{}", span.0);
    }
}

#[test]
fn on_one_thread_a_child_lies_inside_its_parent() {
    for run in [&*BASIC, &*KERNEL] {
        let by_id = run.by_id();
        // What the device did was on no thread; its line says who heard of it.
        for span in run.spans().filter(|span| span.text("type") != "runtime.kernel.device") {
            let Some(parent) = span.parent().map(|id| by_id[id]) else { continue };
            if parent.text("thread") == span.text("thread") {
                let ((start, end), (parent_start, parent_end)) = (span.times(), parent.times());
                assert!(parent_start <= start && end <= parent_end, "{} is not inside {}", span.0, parent.0);
            }
        }
    }
}

#[test]
fn the_work_on_a_stream_belongs_to_the_call_that_enqueued_it() {
    let by_id = BASIC.by_id();
    let calls = BASIC.spans().filter(|span| span.text("type").starts_with("runtime.gpu.")).count();
    assert_eq!(BASIC.of("runtime.kernel.execute").count(), calls, "one for each");
    assert_eq!(BASIC.of("runtime.kernel.launch").count(), calls, "one for each");
    for span in BASIC.of("runtime.kernel.execute") {
        let call = by_id[span.parent().expect("a call")];
        assert_eq!(call.text("trace_id"), span.text("trace_id"));
        assert!(span.text("thread").starts_with("runtime-stream-"), "{}", span.0);
        let kernel = span.text("span").trim_end_matches("_f32");
        assert_eq!(call.text("type"), format!("runtime.gpu.{kernel}"), "{}", call.0);
        assert_eq!(span.attribute("runtime.kernel.name").and_then(|name| name.as_str()), Some(span.text("span")));
        assert!(call.times().0 <= span.times().0, "the work starts after the call does");
    }
    let wait = BASIC.of("runtime.stream.wait_event").next().expect("the block waits for its uploads");
    let recorded = by_id[wait.0["links"][0]["span_id"].as_str().expect("a link")];
    assert_eq!(recorded.text("type"), "runtime.event.record");
    assert_eq!(wait.attribute("runtime.stream.waits_on"), recorded.attribute("runtime.stream.id"));
}

#[test]
fn the_lanes_of_a_product_are_told_at_level_kernel_only() {
    assert_eq!(BASIC.of("runtime.kernel.lane").count(), 0);
    let by_id = KERNEL.by_id();
    let mut lanes: HashMap<&str, Vec<i64>> = HashMap::new();
    for lane in KERNEL.of("runtime.kernel.lane") {
        let number = lane.attribute("runtime.kernel.lane").and_then(|lane| lane.as_i64()).expect("a number");
        lanes.entry(lane.parent().expect("a kernel")).or_default().push(number);
    }
    assert_eq!(lanes.len(), KERNEL.of("runtime.gpu.matmul").count());
    for (kernel, lanes) in lanes {
        let call = by_id[by_id[kernel].parent().expect("a call")];
        let batch = call.attribute("runtime.shape.batch").and_then(|batch| batch.as_i64()).expect("a number");
        assert_eq!(lanes, (0..batch).collect::<Vec<_>>(), "{}", call.0);
    }
}

#[test]
fn the_tables_say_what_the_trace_says() {
    let (trace, printed) = (&*BASIC, &BASIC.stdout);
    for (span_type, name) in [("runtime.kernel.execute", "matmul_f32"), ("runtime.gpu.matmul", "runtime.gpu.matmul")] {
        let count = trace.of(span_type).filter(|span| span.text("span") == name).count();
        let row =
            printed.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {printed}"));
        assert_eq!(row.split_whitespace().nth(1), Some(count.to_string().as_str()), "{row}");
    }
    let last = printed.lines().last().expect("something was printed");
    assert!(last.starts_with("you spent ") && last.contains(" % in "), "{printed}");
}
