//! Capture: a captured launch records no event and says that it was captured; the graph is measured as a whole.

mod common;
#[path = "common/device.rs"]
mod counting;

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use counting::{Calls, Counting, launch};
use kina_observ::device::{Device, DeviceError, KernelSource, LaunchCounts, cpu};
use kina_observ::{Level, builder};

static SUM: AtomicI64 = AtomicI64::new(0);

#[test]
fn a_captured_launch_records_no_event_and_its_graph_is_measured_as_a_whole() {
    cpu::register("add", |run| {
        SUM.fetch_add(run.i64(0)?, Relaxed);
        Ok(())
    });
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Kernel).trace_output(&path).init().expect("recording");
    let (counting, calls) = Counting::new();
    let device = Device::new(counting);
    let (stream, other) = (device.stream("main").expect("a stream"), device.stream("other").expect("a stream"));
    let add = device.load(KernelSource::Registered, "add").expect("a kernel");

    launch(&stream, &add, 1);
    launch(&other, &add, 1);
    other.synchronize().expect("no kernel failed");
    launch(&other, &add, 1);
    let (recorded, asked) = (Calls::of(&calls.record), Calls::of(&calls.is_complete));
    stream.begin_capture().expect("a capture");
    for _ in 0..3 {
        launch(&stream, &add, 10);
    }
    assert_eq!(Calls::of(&calls.record), recorded, "events in a capture");
    // CUDA may lose the capture to a question about another stream's event.
    launch(&other, &add, 1);
    assert_eq!(Calls::of(&calls.is_complete), asked, "questions during a capture");
    assert_eq!(stream.synchronize(), Err(DeviceError::Capturing { what: "synchronize" }));
    assert!(stream.is_capturing());
    let graph = stream.end_capture().expect("a graph");
    assert_eq!(stream.end_capture().unwrap_err(), DeviceError::NotCapturing);
    stream.synchronize().expect("no kernel failed");
    other.synchronize().expect("no kernel failed");
    assert_eq!(SUM.load(Relaxed), 4, "what is captured does not run");

    graph.launch(&stream).expect("a launch");
    graph.launch(&stream).expect("a launch");
    stream.synchronize().expect("no kernel failed");
    assert_eq!(SUM.load(Relaxed), 64);

    // A stream that goes in the middle of a capture, and an end without a beginning, leave the others measured.
    let third = device.stream("third").expect("a stream");
    third.begin_capture().expect("a capture");
    assert!(third.begin_capture().is_err());
    drop(third);
    assert!(other.end_capture().is_err());
    launch(&other, &add, 1);
    other.synchronize().expect("no kernel failed");

    let report = guard.shutdown();
    assert!(report.is_complete(), "{report}");
    // Five kernels and two graphs ran.
    assert_eq!(report.launches, LaunchCounts { launched: 10, timed: 7, untimed: 0, captured: 3 });
    let lines = common::lines(&path);
    let of_type = |span_type: &str| lines.iter().filter(|line| line["type"] == span_type).collect::<Vec<_>>();
    let captured: Vec<_> = of_type("runtime.kernel.launch")
        .into_iter()
        .filter(|line| line["attributes"]["runtime.kernel.captured"] == true)
        .map(|line| &line["span_id"])
        .collect();
    assert_eq!(captured.len(), 3);
    let measured = of_type("runtime.kernel.device");
    assert_eq!(measured.len(), 5);
    assert!(measured.iter().all(|line| !captured.contains(&&line["parent_span_id"])));
    let (launches, graphs) = (of_type("runtime.graph.launch"), of_type("runtime.graph.device"));
    assert_eq!((launches.len(), graphs.len()), (2, 2));
    for (launch, graph) in launches.iter().zip(&graphs) {
        assert_eq!(graph["parent_span_id"], launch["span_id"]);
        assert_eq!((&launch["span"], &graph["span"]), (&"launch graph 1".into(), &"graph 1".into()));
    }
}
