//! Threads that share a stream, while the level changes and steps begin: no launch is lost from the counts.

#[path = "common/device.rs"]
mod counting;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use counting::{Calls, Counting, launch};
use kina_observ::device::{Device, KernelSource, cpu, launches, step_begin};
use kina_observ::{Level, builder, set_level};

#[test]
fn every_launch_of_a_shared_stream_is_counted_once() {
    cpu::register("nothing", |_| Ok(()));
    let guard = builder().level(Level::Kernel).kernel_sample(2).stderr(None).init().expect("recording");
    let (counting, calls) = Counting::new();
    let device = Device::new(counting);
    let stream = device.stream("shared").expect("a stream");
    let nothing = device.load(KernelSource::Registered, "nothing").expect("a kernel");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let launching: Vec<_> = (0..4)
            .map(|thread| {
                let (stream, nothing) = (&stream, &nothing);
                scope.spawn(move || {
                    for number in 0..2_000 {
                        launch(stream, nothing, number);
                        if (number + thread * 25) % 100 == 0 {
                            stream.synchronize().expect("no kernel failed");
                        }
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            while !done.load(Relaxed) {
                for level in [Level::Basic, Level::Kernel, Level::Off, Level::Kernel] {
                    set_level(level);
                    (0..3).for_each(|_| _ = step_begin());
                    std::thread::sleep(Duration::from_micros(200));
                }
            }
        });
        launching.into_iter().for_each(|thread| thread.join().expect("no panic"));
        done.store(true, Relaxed);
    });
    // The threads may have met no armed step.
    set_level(Level::Kernel);
    while !step_begin() {}
    launch(&stream, &nothing, 0);
    stream.synchronize().expect("no kernel failed");
    drop(stream);
    let counts = guard.shutdown().launches;
    assert_eq!(counts, launches());
    assert_eq!(counts.timed + counts.untimed, counts.launched, "{counts}");
    assert!(counts.timed > 0 && counts.launched <= 8_001, "{counts}");
    assert_eq!((Calls::of(&calls.launch), Calls::of(&calls.live_events)), (8_001, 0));
}
