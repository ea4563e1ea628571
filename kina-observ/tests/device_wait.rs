//! A wait refers to the span that recorded the event, and a stream that is held up holds up no other.

mod common;
#[path = "common/device.rs"]
mod counting;

use std::sync::Mutex;
use std::sync::mpsc::channel;

use counting::{Calls, Counting, launch};
use kina_observ::device::{Device, DeviceError, Event, KernelSource, Stream, cpu, launches};
use kina_observ::{Level, builder, span};

#[span("devices.produce")]
fn produce(stream: &Stream) -> Result<Event, DeviceError> {
    stream.record()
}

#[span("devices.consume")]
fn consume(stream: &Stream, event: &Event) -> Result<(), DeviceError> {
    // The attribute and the call inside both say it; one link is enough.
    kina_observ::device::waits_for(event);
    stream.wait(event)
}

#[test]
fn a_wait_refers_to_the_span_that_recorded_and_streams_are_measured_apart() {
    let (go, gate) = channel::<()>();
    let gate = Mutex::new(gate);
    cpu::register("held", move |_| {
        gate.lock().expect("no panic").recv().expect("a word");
        Ok(())
    });
    cpu::register("free", |_| Ok(()));
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Kernel).trace_output(&path).init().expect("recording");
    let (counting, calls) = Counting::new();
    let device = Device::new(counting);
    let (first, second) = (device.stream("first").expect("a stream"), device.stream("second").expect("a stream"));
    let [held, free] = ["held", "free"].map(|name| device.load(KernelSource::Registered, name).expect("a kernel"));

    launch(&first, &held, 0);
    let event = produce(&first).expect("an event");
    assert_eq!(event.stream_id(), first.id());
    assert_eq!(event.is_complete(), Ok(false));
    launch(&second, &free, 1);
    second.synchronize().expect("no kernel failed");
    assert_eq!(launches().timed, 1, "the second stream's launch is told while the first is held");
    consume(&second, &event).expect("a wait");
    launch(&second, &free, 2);
    go.send(()).expect("a listener");
    second.synchronize().expect("no kernel failed");
    assert_eq!(event.is_complete(), Ok(true), "the second stream waited for it");
    assert_eq!(launches().timed, 2);

    // What a stream leaves behind when it goes: one launch is complete, one is not.
    first.synchronize().expect("no kernel failed");
    launch(&second, &free, 3);
    second.record().expect("an event");
    second.synchronize().expect("no kernel failed");
    launch(&second, &held, 4);
    assert_eq!(launches().timed, 4);
    drop(second);
    assert_eq!(launches().untimed, 1);
    go.send(()).expect("a listener");

    launch(&first, &free, 5);
    first.record().expect("an event");
    let ended = first.record().expect("an event");
    while ended.is_complete() == Ok(false) {
        std::thread::yield_now();
    }
    let synchronized = Calls::of(&calls.synchronize);
    let report = guard.shutdown();
    assert_eq!(Calls::of(&calls.synchronize), synchronized, "the end of a recording waits for no device");
    assert!(report.is_complete(), "{report}");
    let counts = report.launches;
    assert_eq!((counts.launched, counts.timed, counts.untimed), (6, 5, 1), "complete launches are told at the end");

    let lines = common::lines(&path);
    let find = |name: &str| lines.iter().find(|line| line["span"] == name).unwrap_or_else(|| panic!("{name}"));
    let links = find("devices.consume")["links"].as_array().expect("links");
    assert_eq!(links.len(), 1);
    assert_eq!(links[0]["span_id"], find("devices.produce")["span_id"]);
    assert_eq!(links[0]["trace_id"], find("devices.produce")["trace_id"]);
}
