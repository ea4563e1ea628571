//! What a launch costs at each level: nothing at Off, a span at Basic, events at Kernel only.

mod common;
#[path = "common/device.rs"]
mod counting;

use counting::{Calls, Counting, launch, launching};
use kina_observ::device::{Device, KernelSource, LaunchCounts, cpu, launches};
use kina_observ::{Level, builder, set_level};

#[test]
fn off_counts_nothing_basic_has_spans_and_only_kernel_has_events() {
    cpu::register("nothing", |_| Ok(()));
    let (counting, calls) = Counting::new();
    let device = Device::new(counting);
    let stream = device.stream("main").expect("a stream");
    let nothing = device.load(KernelSource::Registered, "nothing").expect("a kernel");
    let events = || (Calls::of(&calls.create_event), Calls::of(&calls.record), Calls::of(&calls.is_complete));
    let both = || {
        launch(&stream, &nothing, 0);
        stream.synchronize().expect("no kernel failed");
    };

    both();
    assert_eq!((events(), Calls::of(&calls.facts), launches()), ((0, 0, 0), 0, LaunchCounts::default()));

    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Basic).trace_output(&path).init().expect("recording");
    both();
    assert_eq!(events(), (0, 0, 0));
    assert_eq!(launches(), LaunchCounts { launched: 1, untimed: 1, ..LaunchCounts::default() });

    set_level(Level::Kernel);
    both();
    assert_eq!((events().0, events().1), (65, 3), "a base, 32 pairs; the base and one pair are recorded");
    set_level(Level::Off);
    both();
    let report = guard.shutdown();
    assert!(report.is_complete(), "{report}");
    assert_eq!(report.launches, LaunchCounts { launched: 2, timed: 1, untimed: 1, captured: 0 });
    let lines = common::lines(&path);
    let count = |span_type: &str| lines.iter().filter(|line| line["type"] == span_type).count();
    assert_eq!((count("runtime.kernel.launch"), count("runtime.kernel.device")), (2, 1));

    // A launch across the end of its recording is not told in the next one, which counts its own.
    let guard = builder().level(Level::Kernel).stderr(None).init().expect("recording");
    let report = launching(&stream, "across", 0, || guard.shutdown());
    assert_eq!(report.launches, LaunchCounts { launched: 1, ..LaunchCounts::default() }, "it is still under way");
    assert_eq!(launches(), LaunchCounts { launched: 3, timed: 1, untimed: 2, captured: 0 });
    let (_folder, path) = common::trace_file();
    let guard = builder().level(Level::Kernel).trace_output(&path).init().expect("recording");
    both();
    assert_eq!(guard.shutdown().launches, LaunchCounts { launched: 1, timed: 1, untimed: 0, captured: 0 });
    let lines = common::lines(&path);
    assert_eq!(common::of_kind(&lines, "span").len(), 2);
    drop(stream);
    assert_eq!(Calls::of(&calls.live_events), 0);
}
