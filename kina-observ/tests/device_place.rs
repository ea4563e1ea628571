//! Where kernels stand on the host's clock: after their launch, one after the other, also long after the stream began.

mod common;
#[path = "common/device.rs"]
mod counting;

use std::time::{Duration, UNIX_EPOCH};

use counting::{Counting, enqueue, launch};
use kina_observ::device::{Device, KernelSource, cpu};
use kina_observ::{Level, builder};

fn start_ns(line: &serde_json::Value) -> i64 {
    let start = humantime::parse_rfc3339(line["ts"].as_str().expect("a time")).expect("RFC 3339");
    start.duration_since(UNIX_EPOCH).expect("after 1970").as_nanos() as i64
}

#[test]
fn kernels_of_a_stream_stand_one_after_the_other() {
    for (name, time) in [("long", 100), ("short", 1)] {
        cpu::register(name, move |_| {
            std::thread::sleep(Duration::from_millis(time));
            Ok(())
        });
    }
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Kernel).trace_output(&path).init().expect("recording");
    let device = Device::new(Counting::new().0);
    let stream = device.stream("main").expect("a stream");
    let [long, short] = ["long", "short"].map(|name| device.load(KernelSource::Registered, name).expect("a kernel"));
    // The stream is busy when its first event is recorded, so that where it stands must be learnt.
    enqueue(&stream, &long, 0);
    // Longer than the second after which the time from the base begins anew.
    for round in 0..12 {
        launch(&stream, &long, round);
        launch(&stream, &short, round);
        stream.synchronize().expect("no kernel failed");
    }
    let report = guard.shutdown();
    assert_eq!((report.launches.timed, report.is_complete()), (24, true), "{report}");

    let lines = common::lines(&path);
    let launched = |device: &serde_json::Value| {
        let parent = |line: &&serde_json::Value| line["span_id"] == device["parent_span_id"];
        start_ns(lines.iter().find(parent).expect("a parent"))
    };
    let mut end_before = 0;
    for device in lines.iter().filter(|line| line["type"] == "runtime.kernel.device") {
        let (start, length) = (start_ns(device), device["duration_ms"].as_f64().expect("a duration") * 1e6);
        assert!(start >= launched(device), "before it was launched");
        // Two clocks of one machine may differ by some parts in a million.
        assert!(start + 50_000 >= end_before, "{} ns before the one before it ended", end_before - start);
        end_before = start + length as i64;
    }
}
