//! What is measured on a CUDA device, with the driver's log as the witness: nothing waits, nothing is lost, and the times are the kernels'.

mod common;
mod stub;

use std::collections::BTreeMap;

use kina_observ::device::{Argument, Device, Function, KernelSource, LaunchConfig, Stream, launch_kernel, launches};
use kina_observ::{Level, builder};
use serde_json::Value;
use stub::{Log, process, trace};

const STREAMS: usize = 4;

/// Launches a kernel that takes `nanoseconds`, under a name of its own.
fn sleep(stream: &Stream, function: &Function, name: &str, nanoseconds: u64) {
    let config = LaunchConfig { grid: [1; 3], block: [32, 1, 1], shared_memory: 0 };
    // SAFETY: the kernel takes one number.
    let launch = || unsafe { stream.launch(function, &config, &[Argument::U64(nanoseconds)]) };
    launch_kernel(name, launch).expect("a launch");
}

fn device() -> (Device, Function) {
    let device = Device::cuda(0).expect("the stub driver has a device");
    let function = device.load(KernelSource::Ptx(stub_driver::PTX), "sleep_ns").expect("a kernel of the text");
    (device, function)
}

#[test]
fn ten_thousand_launches_on_four_streams_add_no_synchronisation() {
    const ROUNDS: usize = 25;
    const LAUNCHES: usize = 100;
    const ALL: u64 = (STREAMS * ROUNDS * LAUNCHES) as u64;
    let log = process("ten_thousand_launches_on_four_streams_add_no_synchronisation").run(|| {
        let guard = builder().level(Level::Kernel).trace_output(trace()).init().unwrap();
        let (device, function) = device();
        std::thread::scope(|scope| {
            for _ in 0..STREAMS {
                scope.spawn(|| {
                    let stream = device.stream("worker").unwrap();
                    for _ in 0..ROUNDS {
                        (0..LAUNCHES).for_each(|_| sleep(&stream, &function, "nap", 1_000));
                        stream.synchronize().unwrap();
                    }
                });
            }
        });
        let report = guard.shutdown();
        assert!(report.is_complete(), "{report}");
        let counts = launches();
        assert_eq!((counts.launched, counts.captured), (ALL, 0));
        assert_eq!(counts.timed + counts.untimed, ALL, "{counts}");
        assert!(counts.timed > 0, "{counts}");
    });
    let Some(log) = log else { return };
    assert_eq!(log.calls("cuLaunchKernel").len() as u64, ALL);
    assert_eq!(log.ran().len() as u64, ALL);
    assert_eq!(log.synchronisations(), STREAMS * ROUNDS, "the program's own, and no other");
    // The pool is fixed, whatever is launched: 32 pairs and a base for each stream.
    assert!(log.calls("cuEventCreate").len() <= STREAMS * 65, "{}", log.calls("cuEventCreate").len());
    assert_eq!(log.calls("cuEventCreate").len(), log.calls("cuEventDestroy_v2").len());
    let times = common::lines(&log.trace());
    let timed = times.iter().filter(|line| line["type"] == "runtime.kernel.device").count();
    let read = log.calls("cuEventElapsedTime").iter().filter(|call| call["result"] == "CUDA_SUCCESS").count();
    assert!(timed > 0 && timed <= read, "{timed} times were told, {read} were read");
}

/// The spans of a type.
fn of_type<'a>(lines: &'a [Value], name: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == name).collect()
}

fn nanoseconds(span: &Value) -> f64 {
    span["duration_ms"].as_f64().expect("a closed span has a duration") * 1e6
}

/// What the driver says its kernels took, by stream, in the order in which they ran.
fn true_durations(log: &Log) -> BTreeMap<u64, Vec<f64>> {
    let mut durations = BTreeMap::<_, Vec<_>>::new();
    for ran in log.ran() {
        let stream = ran["stream"].as_u64().expect("a stream");
        durations.entry(stream).or_default().push(ran["duration_ns"].as_f64().expect("a duration"));
    }
    durations
}

#[track_caller]
fn within_5_percent(measured: f64, truth: f64, what: &str) {
    assert!((measured - truth).abs() <= 0.05 * truth, "{what}: {measured} ns, and {truth} ns by the driver's account");
}

#[test]
fn device_times_are_within_5_percent_of_the_drivers_own() {
    // As many as the pool has pairs.
    const LAUNCHES: usize = 32;
    let log = process("device_times_are_within_5_percent_of_the_drivers_own").run(|| {
        let guard = builder().level(Level::Kernel).trace_output(trace()).init().unwrap();
        let (device, function) = device();
        let streams = [(); STREAMS].map(|()| device.stream("worker").unwrap());
        for stream in &streams {
            for index in 0..LAUNCHES {
                // Behind the first the others wait, so that the stream never waits for us. All are different.
                let time = if index == 0 { 200_000_000 } else { 500_000 + 100_000 * index as u64 };
                sleep(stream, &function, &format!("{} {index}", stream.raw().0), time);
            }
        }
        streams.iter().for_each(|stream| stream.synchronize().unwrap());
        drop(streams);
        assert_eq!(launches().timed, (STREAMS * LAUNCHES) as u64, "{}", launches());
        assert!(guard.shutdown().is_complete());
    });
    let Some(log) = log else { return };
    let (lines, truth) = (common::lines(&log.trace()), true_durations(&log));
    let launch_names: BTreeMap<_, _> = of_type(&lines, "runtime.kernel.launch")
        .iter()
        .map(|span| (span["span_id"].as_str().unwrap(), span["attributes"]["runtime.kernel.name"].as_str().unwrap()))
        .collect();
    let spans = of_type(&lines, "runtime.kernel.device");
    assert_eq!(spans.len(), STREAMS * LAUNCHES);
    for span in spans {
        let name = launch_names[span["parent_span_id"].as_str().unwrap()];
        let (stream, index) = name.split_once(' ').unwrap();
        let truth = truth[&stream.parse().unwrap()][index.parse::<usize>().unwrap()];
        within_5_percent(nanoseconds(span), truth, name);
    }
}

#[test]
fn a_capture_records_no_event_and_its_graph_is_timed_as_a_whole() {
    let log = process("a_capture_records_no_event_and_its_graph_is_timed_as_a_whole").run(|| {
        let guard = builder().level(Level::Kernel).trace_output(trace()).init().unwrap();
        let (device, function) = device();
        let stream = device.stream("main").unwrap();
        // What is under way on another stream is told while this one captures.
        let other = device.stream("other").unwrap();
        sleep(&other, &function, "before", 1_000);
        other.synchronize().unwrap();
        // Behind this one the graph waits, so that the stream does not wait for us between the events.
        sleep(&stream, &function, "busy", 200_000_000);
        stream.begin_capture().unwrap();
        sleep(&stream, &function, "first", 20_000_000);
        sleep(&other, &function, "meanwhile", 1_000);
        sleep(&stream, &function, "second", 30_000_000);
        let graph = stream.end_capture().unwrap();
        graph.launch(&stream).unwrap();
        stream.synchronize().unwrap();
        other.synchronize().unwrap();
        drop((stream, other, graph));
        let counts = launches();
        assert_eq!((counts.launched, counts.captured, counts.timed), (6, 2, 4), "{counts}");
        assert!(guard.shutdown().is_complete());
    });
    let Some(log) = log else { return };
    let stream = &log.calls("cuStreamBeginCapture_v2")[0]["stream"];
    let of_stream = |name| log.calls(name).into_iter().filter(|call| &call["stream"] == stream).collect::<Vec<_>>();
    assert_eq!(of_stream("cuLaunchKernel").len(), 3);
    assert!(of_stream("cuEventRecord").iter().all(|call| call["captured"].is_null()), "an event in a graph");
    let lines = common::lines(&log.trace());
    let truth: f64 = true_durations(&log)[&stream.as_u64().unwrap()][1..].iter().sum();
    let of_graph = of_type(&lines, "runtime.graph.device");
    assert_eq!(of_graph.len(), 1);
    within_5_percent(nanoseconds(of_graph[0]), truth, "the graph");
}
