//! Panics: one inside a launching function leaves events and spans balanced, one inside a kernel stays there.

mod common;
#[path = "common/device.rs"]
mod counting;

use std::panic::{AssertUnwindSafe, catch_unwind};

use counting::{Counting, enqueue, launch, launching};
use kina_observ::device::{Device, DeviceError, KernelSource, LaunchCounts, cpu, launch_kernel, launches};
use kina_observ::{Level, builder, span};

#[span("devices.after")]
fn after() {}

#[test]
fn a_panic_leaves_launches_events_and_spans_balanced() {
    cpu::register("nothing", |_| Ok(()));
    cpu::register("broken", |_| panic!("a kernel's own fault"));
    cpu::register("two", |run| run.i64(1).map(drop));
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Kernel).trace_output(&path).init().expect("recording");
    let device = Device::new(Counting::new().0);
    let stream = device.stream("main").expect("a stream");
    let [nothing, broken, two] =
        ["nothing", "broken", "two"].map(|name| device.load(KernelSource::Registered, name).expect("a kernel"));

    // More often than there are pairs of events: none is lost.
    let rounds = 100;
    for _ in 0..rounds {
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            launching(&stream, "outer", 0, || {
                launch(&stream, &nothing, 0);
                launching(&stream, "inner", 0, || panic!("a launching function's own fault"));
            });
        }));
        assert!(panicked.is_err());
        stream.synchronize().expect("no kernel failed");
    }
    assert_eq!(launches(), LaunchCounts { launched: 3 * rounds, timed: 3 * rounds, untimed: 0, captured: 0 });

    launch(&stream, &broken, 0);
    launch(&stream, &nothing, 0);
    let message = "a kernel's own fault".to_owned();
    assert_eq!(stream.synchronize(), Err(DeviceError::KernelPanicked { kernel: "broken".into(), message }));
    assert_eq!(stream.synchronize(), Ok(()), "an error is told once");
    launch(&stream, &two, 0);
    assert_eq!(
        stream.synchronize().unwrap_err().to_string(),
        "`two` was not given a `i64` as argument 1\n  = help: pass the arguments that the kernel reads, in order"
    );

    // By hand: the first kernel inside is the one that is measured.
    launch_kernel("by hand", || {
        enqueue(&stream, &nothing, 0);
        enqueue(&stream, &nothing, 0);
    });
    launch_kernel("elsewhere", || ());
    assert!(catch_unwind(|| launch_kernel("by hand", || panic!("too early"))).is_err());
    // Nobody records this one.
    enqueue(&stream, &nothing, 0);
    stream.synchronize().expect("no kernel failed");
    after();

    let report = guard.shutdown();
    assert!(report.is_complete(), "{report}");
    assert_eq!(report.unfinished, 0);
    let launched = 3 * rounds + 3 + 3;
    assert_eq!(report.launches, LaunchCounts { launched, timed: launched - 2, untimed: 2, captured: 0 });
    assert!(report.to_string().contains("306 launches: 304 timed, 2 untimed, 0 captured"), "{report}");
    let lines = common::lines(&path);
    let after = lines.iter().find(|line| line["span"] == "devices.after").expect("a span");
    assert!(after.get("parent_span_id").is_none(), "everything else was closed");
    let inner: Vec<_> = lines.iter().filter(|line| line["span"] == "launch inner").collect();
    assert_eq!(inner.len() as u64, rounds);
    assert!(inner.iter().all(|line| line["attributes"]["error.type"] == "panic"));
    let by_hand = lines.iter().find(|line| line["span"] == "launch by hand").expect("a span");
    let measured: Vec<_> = lines.iter().filter(|line| line["parent_span_id"] == by_hand["span_id"]).collect();
    assert_eq!(measured.len(), 1);
    assert_eq!(measured[0]["span"], "nothing");
}
