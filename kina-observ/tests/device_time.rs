//! 10,000 launches on 4 streams: no synchronisation is added, none is lost, and the times are those of the kernels.

mod common;
#[path = "common/device.rs"]
mod counting;

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use counting::{Calls, Counting, launch};
use kina_observ::device::{Device, KernelSource, cpu, launches, launches_by_kernel};
use kina_observ::{BoundedLabel, Level, builder};

const STREAMS: usize = 4;
const ROUNDS: i64 = 25;
const LAUNCHES: i64 = 100;

/// How long each launch's kernel took, by its own clock.
static OWN: Mutex<Vec<(i64, u64)>> = Mutex::new(Vec::new());

#[test]
fn it_adds_no_synchronisation_loses_no_launch_and_is_within_5_percent() {
    cpu::register("nap", |run| {
        let number = run.i64(0)?;
        let began = Instant::now();
        // As many as the pool has room for are long: what the machine's load adds to a kernel is small beside them.
        if number % LAUNCHES < 32 {
            std::thread::sleep(Duration::from_millis(2));
        }
        let took = began.elapsed().as_nanos() as u64;
        OWN.lock().expect("no panic").push((number, took));
        Ok(())
    });
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Kernel).trace_output(&path).init().expect("recording");
    let (counting, calls) = Counting::new();
    let device = Device::new(counting);
    let nap = device.load(KernelSource::Registered, "nap").expect("a kernel");
    std::thread::scope(|scope| {
        for worker in 0..STREAMS as i64 {
            let (device, nap) = (&device, &nap);
            scope.spawn(move || {
                let stream = device.stream("worker").expect("a stream");
                for round in 0..ROUNDS {
                    for index in 0..LAUNCHES {
                        launch(&stream, nap, (worker * ROUNDS + round) * LAUNCHES + index);
                    }
                    stream.synchronize().expect("no kernel failed");
                }
            });
        }
    });
    let report = guard.shutdown();
    assert!(report.is_complete(), "{report}");

    let launched = STREAMS as u64 * (ROUNDS * LAUNCHES) as u64;
    let counts = report.launches;
    assert_eq!(counts, launches());
    assert_eq!((counts.launched, counts.captured), (launched, 0));
    assert_eq!(counts.timed + counts.untimed, launched, "{counts}");
    assert!(counts.timed > 0 && counts.untimed > 0, "the pool is smaller than a round: {counts}");
    let named: Vec<_> = launches_by_kernel().iter().map(|(kernel, count)| (kernel.label(), *count)).collect();
    assert_eq!(named, [("nap", launched)]);

    assert_eq!(Calls::of(&calls.launch), launched);
    assert_eq!(Calls::of(&calls.synchronize), STREAMS as u64 * ROUNDS as u64, "synchronisations besides the program's");
    assert_eq!(Calls::of(&calls.live_events), 0, "events that were not given back");
    assert!(Calls::of(&calls.create_event) <= STREAMS as u64 * 65, "the pool is fixed");
    assert_eq!(Calls::of(&calls.facts), 1, "a kernel is asked about once for each shape");

    let own: HashMap<_, _> = OWN.lock().expect("no panic").iter().copied().collect();
    let lines = common::lines(&path);
    let launch_spans: HashMap<_, _> = lines
        .iter()
        .filter(|line| line["type"] == "runtime.kernel.launch")
        .map(|line| (line["span_id"].as_str().expect("an id"), line))
        .collect();
    let device_spans: Vec<_> = lines.iter().filter(|line| line["type"] == "runtime.kernel.device").collect();
    assert_eq!(launch_spans.len() as u64, launched);
    assert_eq!(device_spans.len() as u64, counts.timed);
    let mut ratios: Vec<_> = device_spans
        .iter()
        .map(|span| {
            let launch = launch_spans[span["parent_span_id"].as_str().expect("a parent")];
            assert_eq!(span["span"], "nap");
            assert_eq!(span["trace_id"], launch["trace_id"]);
            assert_eq!(span["attributes"]["runtime.device"], "counting:0");
            assert_eq!(span["attributes"]["runtime.stream.id"], launch["attributes"]["runtime.stream.id"]);
            assert_eq!(launch["attributes"]["runtime.kernel.registers"], 32);
            assert_eq!(launch["attributes"]["runtime.kernel.occupancy"], 0.75);
            let own = own[&launch["attributes"]["runtime.kernel.shared_memory"].as_i64().expect("a number")];
            let started = |line: &serde_json::Value| line["ts"].as_str().expect("a time").to_owned();
            assert!(started(span) >= started(launch), "on the device before it was launched");
            let device = (span["duration_ms"].as_f64().expect("a duration") * 1e6).round() as u64;
            assert!(device >= own, "the events surround the kernel: {device} < {own}");
            (own, device as f64 / own as f64)
        })
        .filter(|(own, _)| *own > 1_000_000)
        .map(|(_, ratio)| ratio)
        .collect();
    assert!(ratios.len() > 1_000, "long kernels that were measured: {}", ratios.len());
    // The median: a machine under load may stop a stream's thread between an event and the kernel.
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    assert!(median <= 1.05, "device time over the kernel's own: {median}");
}
