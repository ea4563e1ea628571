//! `#[kernel]` and `#[stream_sync]` on the CPU as a device: what is found by type, and that a span is right however its body ends.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kina_observ::device::{
    Device, DeviceError, Event, Function, KernelSource, LaunchConfig, LaunchShape, OnStream, Stream, cpu,
};
use kina_observ::{Level, kernel, module_scope, stream_sync};
use serde_json::{Value, json};

const MODULE: &str = "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11";
const SHAPE: LaunchConfig = LaunchConfig { grid: [32, 2, 1], block: [256, 1, 1], shared_memory: 4096 };

type Done = Result<(), DeviceError>;

fn enqueue(stream: &Stream, function: &Function, config: &LaunchConfig) -> Done {
    // SAFETY: the kernels of this test read no arguments.
    unsafe { stream.launch(function, config, &[]) }
}

#[kernel]
fn by_type(on: &Stream, shape: LaunchConfig, what: &Function) -> Done {
    enqueue(on, what, &shape)
}

#[kernel]
fn behind_pointers(on: Arc<Stream>, shape: Option<&LaunchConfig>, what: &Arc<Function>) -> Done {
    enqueue(&on, what, shape.unwrap_or(&SHAPE))
}

#[kernel(kernel = "softmax_f16")]
fn by_name(on: &Stream, shape: &LaunchConfig) {
    let _ = (on, shape);
}

#[kernel(kernel = name, launch = SHAPE)]
fn by_kind(name: &str, on: &dyn OnStream) {}

#[kernel]
fn unnamed(_on: &Stream, _shape: &LaunchConfig) {}

#[kernel]
fn recorder(on: &Stream, _shape: &LaunchConfig) -> Result<Event, DeviceError> {
    on.record()
}

struct Queue {
    stream: Stream,
    kernels: Vec<String>,
}

struct Tiles(u32);

impl OnStream for Queue {
    fn stream(&self) -> &Stream {
        &self.stream
    }
}

impl LaunchShape for Tiles {
    fn grid(&self) -> [u32; 3] {
        [self.0, self.0, 1]
    }

    fn block(&self) -> [u32; 3] {
        [16, 16, 1]
    }

    fn shared_memory(&self) -> u32 {
        0
    }
}

impl Queue {
    #[kernel(stream = self, launch = Tiles(tiles), kernel = self.kernels[index].clone())]
    fn run(&mut self, tiles: u32, index: usize) -> &mut Vec<String> {
        &mut self.kernels
    }
}

type Shape = LaunchConfig;

#[kernel(launch = shape, stream = second)]
fn generic<S: OnStream, const N: usize>(first: S, second: &Stream, shape: Shape) -> [u8; N] {
    let _ = (first, second, shape);
    [0; N]
}

#[kernel]
fn taken(on: Stream, shape: LaunchConfig, name: &str) -> Result<u32, std::num::ParseIntError> {
    drop(on);
    if shape.shared_memory == 0 {
        return Ok(1);
    }
    let number: u32 = name.parse()?;
    assert!(number < 10, "too large");
    Ok(number)
}

#[stream_sync(runtime.sync.stream)]
fn drain(stream: &Stream) -> Done {
    stream.synchronize()
}

#[stream_sync(runtime.sync.event)]
fn join(waiting: Arc<Stream>, done: &Event) -> Done {
    // The link is the attribute's: this calls nothing that makes one.
    drop(waiting);
    let _ = done;
    Ok(())
}

/// The lines that a program at level Kernel gives, of one span type.
struct Trace(Vec<Value>);

impl Trace {
    fn launches(&self) -> Vec<&Value> {
        common::of_kind(&self.0, "span").into_iter().filter(|line| line["type"] == "runtime.kernel.launch").collect()
    }

    fn of(&self, span_type: &str) -> &Value {
        self.0.iter().find(|line| line["kind"] == "span" && line["type"] == span_type).expect("its line")
    }

    /// The launch in which the attributed function of this name ran.
    fn launch(&self, kernel: &str) -> &Value {
        let mut all = self.launches().into_iter().filter(|line| line["attributes"]["runtime.kernel.name"] == kernel);
        let line = all.next().unwrap_or_else(|| panic!("no launch of {kernel}"));
        assert!(all.next().is_none(), "{kernel} was launched twice");
        line
    }
}

/// One test, for the trace is the process's.
#[test]
fn launches_and_waits() {
    let (_folder, path) = common::trace_file();
    let guard = kina_observ::builder().level(Level::Kernel).trace_output(&path).init().expect("a trace");
    let device = Device::cpu();
    let stream = device.stream("main").expect("a stream");
    let other = device.stream("other").expect("a stream");
    for name in ["twice", "thrice"] {
        cpu::register(name, |_| Ok(()));
    }
    let load = |name| device.load(KernelSource::Registered, name).expect("it is registered");

    {
        let _module = module_scope(MODULE.parse().expect("an id"));
        by_type(&stream, SHAPE, &load("twice")).expect("a launch");
    }
    behind_pointers(Arc::new(other.clone()), Some(&SHAPE), &Arc::new(load("thrice"))).expect("a launch");
    by_name(&stream, &SHAPE);
    unnamed(&stream, &SHAPE);
    let mut queue = Queue { stream: stream.clone(), kernels: vec!["a".to_owned(), "tiled".to_owned()] };
    queue.run(3, 1).clear();
    assert!(queue.kernels.is_empty(), "what the method lends is the field");
    assert_eq!(generic::<_, 2>(&stream, &other, SHAPE), [0; 2]);
    let flat = LaunchConfig { shared_memory: 0, ..SHAPE };
    assert_eq!(taken(stream.clone(), flat, ""), Ok(1));
    assert!(taken(stream.clone(), SHAPE, "x").is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| taken(stream.clone(), SHAPE, "11"))).is_err());

    let event = recorder(&other, &SHAPE).expect("an event");
    join(Arc::new(stream.clone()), &event).expect("a wait");
    stream.begin_capture().expect("a capture");
    by_kind("graphed", &stream);
    drop(stream.end_capture().expect("a graph"));
    drain(&stream).expect("it drains");
    drain(&other).expect("it drains");
    drop((stream, other, queue));
    guard.shutdown();

    let trace = Trace(common::lines(&path));
    let all = |stream: i64| {
        json!({
            "runtime.device": "cpu:0",
            "runtime.kernel.block": [256, 1, 1],
            "runtime.kernel.grid": [32, 2, 1],
            "runtime.kernel.shared_memory": 4096,
            "runtime.stream.id": stream,
        })
    };
    let check = |line: &Value, mut expected: Value| {
        let attributes = line["attributes"].as_object().expect("attributes");
        let expected = expected.as_object_mut().expect("attributes");
        for (key, value) in expected {
            assert_eq!(attributes.get(key), Some(&*value), "{key} of {line}");
        }
    };
    let twice = trace.launch("twice");
    check(twice, all(1));
    assert_eq!((&twice["module_id"], &twice["span"]), (&json!(MODULE), &json!("launch twice")));
    check(trace.launch("thrice"), all(2));
    check(trace.launch("softmax_f16"), all(1));
    check(trace.launch("unnamed"), all(1));
    check(trace.launch("generic"), all(2));
    check(
        trace.launch("tiled"),
        json!({"runtime.kernel.grid": [3, 3, 1], "runtime.kernel.block": [16, 16, 1], "runtime.stream.id": 1}),
    );

    let ends: Vec<_> = trace
        .launches()
        .into_iter()
        .filter(|line| line["attributes"]["runtime.kernel.name"] == "taken")
        .map(|line| (line["status"].as_str(), line["attributes"]["error.type"].as_str()))
        .collect();
    let parse = "core::num::error::ParseIntError";
    assert_eq!(ends, [(None, None), (Some("ERROR"), Some(parse)), (Some("ERROR"), Some("panic"))]);

    let recorder = trace.launch("recorder");
    let joined = trace.of("runtime.sync.event");
    check(joined, json!({"runtime.stream.id": 1, "runtime.stream.waits_on": 2, "runtime.device": "cpu:0"}));
    assert_eq!(joined["span"], "sync stream 1 with stream 2");
    let link = &joined["links"][0];
    assert_eq!((&link["span_id"], &link["trace_id"]), (&recorder["span_id"], &recorder["trace_id"]));
    let drained = trace.of("runtime.sync.stream");
    check(drained, json!({"runtime.stream.id": 1, "runtime.device": "cpu:0"}));
    assert_eq!(drained["status"], Value::Null);

    // Each launch has its time on the device as its child, except what went into a graph.
    for launch in trace.launches() {
        let captured = launch["attributes"]["runtime.kernel.captured"] == true;
        let times = common::of_kind(&trace.0, "span")
            .into_iter()
            .filter(|line| line["type"] == "runtime.kernel.device" && line["parent_span_id"] == launch["span_id"]);
        let names: Vec<_> = times.map(|line| &line["attributes"]["runtime.kernel.name"]).collect();
        let name = &launch["attributes"]["runtime.kernel.name"];
        assert_eq!(names, if captured { vec![] } else { vec![name] }, "{launch}");
        assert_eq!(captured, name == "graphed", "{launch}");
    }
}
